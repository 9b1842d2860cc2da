package expect
