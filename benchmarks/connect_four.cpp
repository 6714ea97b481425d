// How fast is alpha-beta when it is written by hand, in C++, for Connect Four and nothing else?
//
// The same search as connect_four_numba.py, in the same two forms: it visits exactly the nodes of the textbook's
// alpha-beta with the window (-inf, +inf), centre first, no table, 0 at the horizon.
//
//     g++ -O3 -march=native -std=c++17 connect_four.cpp -o connect_four
//     ./connect_four inlined 13 4453      form, plies, columns played before (1 to 7; may be left out)
//
// Prints nodes, seconds and the value for the player to move.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using Board = std::uint64_t;

// One column takes 7 bits: 6 cells from the bottom up and a spare one, so that no line wraps into the next column.
constexpr Board kColumn = 0b0111111;
constexpr Board kBottom = 0x40810204081;
constexpr Board kFull = kBottom * kColumn;
constexpr int kCentreFirst[7] = {3, 2, 4, 1, 5, 0, 6};
constexpr int kBelowAll = -2, kAboveAll = 2;  // values are -1, 0 and 1: these are the infinities

static std::int64_t nodes = 0;

static inline bool aligned(Board stones) {
  const Board columns = stones & (stones >> 1), rows = stones & (stones >> 7);
  const Board falling = stones & (stones >> 6), rising = stones & (stones >> 8);
  return (columns & (columns >> 2)) | (rows & (rows >> 14)) | (falling & (falling >> 12)) | (rising & (rising >> 16));
}

// The parent looks at whether a child ends the game or lies on the horizon: only inner nodes cost a call.
// The caller has made sure that the game is not over here and that depth is at least 1.
static int inlined(Board mine, Board mask, int alpha, int beta, int depth) {
  const Board free = (mask + kBottom) & kFull;
  int best = kBelowAll;
  for (int column : kCentreFirst) {
    const Board stone = free & (kColumn << 7 * column);
    if (!stone) continue;
    ++nodes;
    int child;
    if (aligned(mine | stone)) {
      child = 1;
    } else if (depth == 1 || (mask | stone) == kFull) {
      child = 0;
    } else {
      child = -inlined(mask ^ mine, mask | stone, -beta, -alpha, depth - 1);
    }
    if (child > best) {
      best = child;
      if (child > alpha) alpha = child;
      if (alpha >= beta) break;
    }
  }
  return best;
}

// Every node is a call, the way the textbook writes it.
static int calls(Board mine, Board mask, int alpha, int beta, int depth) {
  ++nodes;
  if (aligned(mask ^ mine)) return -1;
  const Board free = (mask + kBottom) & kFull;
  if (depth == 0 || !free) return 0;
  int best = kBelowAll;
  for (int column : kCentreFirst) {
    const Board stone = free & (kColumn << 7 * column);
    if (!stone) continue;
    const int child = -calls(mask ^ mine, mask | stone, -beta, -alpha, depth - 1);
    if (child > best) {
      best = child;
      if (child > alpha) alpha = child;
      if (alpha >= beta) break;
    }
  }
  return best;
}

static int search(bool every_node_a_call, Board mine, Board mask, int depth) {
  if (every_node_a_call) return calls(mine, mask, kBelowAll, kAboveAll, depth);
  ++nodes;
  if (aligned(mask ^ mine)) return -1;
  if (depth == 0 || mask == kFull) return 0;
  return inlined(mine, mask, kBelowAll, kAboveAll, depth);
}

int main(int argc, char** argv) {
  const bool every_node_a_call = argc > 1 && std::strcmp(argv[1], "calls") == 0;
  if (argc < 3 || (!every_node_a_call && std::strcmp(argv[1], "inlined") != 0)) {
    std::fprintf(stderr, "usage: connect_four inlined|calls DEPTH [MOVES]\n");
    return 2;
  }
  const int depth = std::atoi(argv[2]);
  Board mine = 0, mask = 0;
  for (const char* move = argc > 3 ? argv[3] : ""; *move; ++move) {
    const int column = *move - '1';
    const Board stone = column < 0 || column > 6 ? 0 : (mask + (Board{1} << 7 * column)) & (kColumn << 7 * column);
    if (!stone) {
      std::fprintf(stderr, "connect_four: no room in column %c\n", *move);
      return 2;
    }
    mine ^= mask;
    mask |= stone;
  }
  const auto began = std::chrono::steady_clock::now();
  const int value = search(every_node_a_call, mine, mask, depth);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  std::printf("%lld %.9f %d\n", static_cast<long long>(nodes), taken.count(), value);
  return 0;
}
