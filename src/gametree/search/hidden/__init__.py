"""Games in which players do not see everything: sequence form, regret minimisation, equilibria."""
