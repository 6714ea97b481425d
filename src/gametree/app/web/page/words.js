// Values in words, and as a share of what can be won.

const PAWN_LIKE = 2.7;

const number = (payoff) => (typeof payoff === "string" ? (payoff === "inf" ? Infinity : -Infinity) : payoff);

export const grouped = (count) => count.toLocaleString("en-US");

/** 1,234,567 as "1.2 M". */
export function rough(count) {
  for (const [size, sign] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) if (count >= size) return `${(count / size).toFixed(count >= 10 * size ? 0 : 1)} ${sign}`;
  return String(Math.round(count));
}

export function signed(payoff) {
  const value = number(payoff);
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const rounded = Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(2);
  if (Number(rounded) === 0) return Number.isInteger(value) ? "0" : "0.00";
  return value > 0 ? `+${rounded}` : `−${String(rounded).replace("-", "")}`;
}

/** Whether two play for one stake and this payoff shares it equally. */
const isDraw = (payoff, { players, range }) => players.length === 2 && range && number(payoff) === (number(range[0]) + number(range[1])) / 2;

/** "win in 13", "draw (proven)", "+0.38". */
export function valueWords(value, exact, position) {
  if (!value) return "…";
  if (value.outcome) return value.plies === null ? value.outcome : value.plies ? `${value.outcome} in ${value.plies}` : value.outcome;
  if (!exact) return signed(value.payoff);
  return isDraw(value.payoff, position) ? "draw (proven)" : `${signed(value.payoff)} (proven)`;
}

/** The same on a badge: "W13", "L2", "D". */
export function valueSign(value, exact, position) {
  if (value.outcome) return `${value.outcome === "win" ? "W" : "L"}${value.plies ?? ""}`;
  if (exact && isDraw(value.payoff, position)) return "D";
  const size = Math.abs(number(value.payoff));
  return size >= 10 && Number.isFinite(size) ? signed(Math.round(number(value.payoff))) : signed(value.payoff).replace(/(\.\d)\d$/, "$1");
}

/** A value as a share of what can be won, 0 to 1: exact on the scale of payoffs, an estimate on a bent one. */
export function share(value, { range, players }, method = "", exact = false) {
  const payoff = number(value.payoff);
  if (value.outcome) return value.outcome === "win" ? 1 : 0;
  const [low, high] = range ? range.map(number) : [-Infinity, Infinity];
  const inRange = Number.isFinite(low) && Number.isFinite(high) && payoff >= low && payoff <= high;
  const isExpectation = exact || players.length > 2 || !/alphabeta|minimax$|mtdf|sss|dual/.test(method) || /expecti/.test(method);
  if (inRange && isExpectation) return (payoff - low) / (high - low);
  const scale = Number.isFinite(high) ? Math.max(PAWN_LIKE, high / 4) : PAWN_LIKE;
  const middle = Number.isFinite(low) && Number.isFinite(high) && low >= 0 ? (low + high) / 2 : 0;
  return 1 / (1 + Math.exp(-(payoff - middle) / scale));
}

/** Every player's share, from the values of all of them; null where they are not known. */
export function shares(analysis, position) {
  const { value, values, player, method, exact } = analysis;
  const seats = position.players.length;
  if (!value) return null;
  if (seats === 2) {
    const own = player === -1 ? share({ payoff: values[0], outcome: null }, position, method, exact) : share(value, position, method, exact);
    return player === 1 ? [1 - own, own] : [own, 1 - own];
  }
  if (seats === 1 || values.length !== seats) return null;
  const each = values.map((payoff) => Math.max(0, Math.min(1, share({ payoff, outcome: null }, position, method, exact))));
  const sum = each.reduce((a, b) => a + b, 0);
  return sum > 0 ? each.map((one) => one / sum) : null;
}

export const percent = (part) => `${Math.round(100 * part)} %`;

/** "White", "the first player": at the beginning of a sentence. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Who has won, or what everybody gets. */
export function resultWords(position) {
  const { payoffs, players, ended } = position;
  if (!payoffs) return "";
  const best = Math.max(...payoffs.map(number));
  const winners = players.filter((_, seat) => number(payoffs[seat]) === best);
  const why = ended && ended !== "the game is over" ? ` (${ended})` : "";
  const points = payoffs.some((one) => Math.abs(number(one)) > 1) && players.length === 2 ? `, ${signed(best)}` : "";
  if (winners.length === players.length) return players.length === 1 ? `The game is over: ${signed(best)}${why}` : `A draw${why}`;
  if (winners.length === 1) return `${capital(winners[0])} ${/s$/.test(winners[0]) ? "win" : "wins"}${points}${why}`;
  return `${winners.map(capital).join(" and ")} win${why}`;
}

/** Whose turn it is. */
export function turnWords(position) {
  if (position.payoffs) return resultWords(position);
  if (position.mover === -1) return position.board?.status?.split(";")[0] || "Chance decides";
  return `${capital(position.players[position.mover])} to move`;
}
