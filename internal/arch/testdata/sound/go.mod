module github.com/deeds-evals/deeds

go 1.26.0
