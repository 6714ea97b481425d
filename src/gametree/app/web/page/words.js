// Values, turns and results in words.

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
  const payoff = number(value.payoff);
  if (!Number.isFinite(payoff)) return signed(payoff);
  const rounded = Math.abs(payoff) >= 10 || Number.isInteger(payoff) ? Math.round(payoff) : Math.round(payoff * 10) / 10;
  return signed(rounded).replace(/0$/, rounded % 1 ? "" : "0");
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
  const who = capital(position.players[position.mover]);
  // Rules may know better what is to be done: "Black to place a ship of 3".
  const said = capital(position.board?.status?.split(";")[0] ?? "");
  return said.startsWith(`${who} to `) ? said : `${who} to move`;
}
