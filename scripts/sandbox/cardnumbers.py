"""Card numbers: the check digit of ISO/IEC 7812-1, annex B."""


def total(digits):
    """The sum that the last digit makes a multiple of ten."""
    sum_ = 0
    for index, character in enumerate(reversed(digits)):
        number = int(character) * (1 + index % 2)
        sum_ += number - 9 if number > 9 else number
    return sum_


def is_luhn(digits):
    return total(digits) % 10 == 0


def with_check_digit(digits):
    """The digits and their check digit."""
    return digits + str(-total(digits + "0") % 10)
