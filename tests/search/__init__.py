import pytest

pytest.register_assert_rewrite("search.agreement")
