"""Best-first searches: those that go where the answer seems nearest, not where the order of actions leads."""
