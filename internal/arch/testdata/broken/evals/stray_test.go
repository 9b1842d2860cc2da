package evals
