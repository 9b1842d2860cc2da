# The commands of this repository, by name. `make help` lists them.
#
# Everything here is an ordinary `go` command; what it runs is printed.

MODEL    ?=
BASE_URL ?=
SIGNAL   ?=
REPEAT   ?= 1

# A live run is bounded by its attempts, not by the ten minutes that `go test`
# gives a package unasked.
TIMEOUT  ?= 2h

# Tools are run at a pinned version and stay out of go.mod: the graph is the
# product's. staticcheck.conf says what is checked.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

LIVE = go test ./evals/... -timeout=$(TIMEOUT) -model='$(MODEL)'
ifneq ($(BASE_URL),)
LIVE += -base-url='$(BASE_URL)'
endif

.DEFAULT_GOAL := help

# Modules of their own: what they need, nobody who imports Deeds has to carry.
MODULES = examples/agent internal/browser

.PHONY: test
test: ## vet and test everything; cases are rehearsed, no model is asked
	go vet ./...
	go test -timeout=30m ./...
	@set -e; for m in $(MODULES); do (set -x; cd $$m; go vet ./...; go test ./...); done

.PHONY: eval
eval: need-model ## play MODEL=, with BASE_URL= and REPEAT= if you like
	$(LIVE) -repeat='$(REPEAT)'

.PHONY: gate
gate: need-model need-signal ## play MODEL= three times; SIGNAL=a,b alone decides
	$(LIVE) -signal='$(SIGNAL)' -repeat=3

.PHONY: scoreboard
scoreboard: need-model ## play MODEL= three times over and publish its row under results/scoreboard
	$(LIVE) -scoreboard
	go run . scoreboard

.PHONY: calibrate
calibrate: ## check the statistics against arms whose truth is known
	go run ./internal/calibrate

.PHONY: crash
crash: ## kill a simulated run again and again, resume it, and count what is left
	go run ./internal/crash

.PHONY: lint
lint: ## gofmt, vet, staticcheck, and a go.mod that is tidy
	@unformatted="$$(gofmt -l .)"; test -z "$$unformatted" || { echo "gofmt -w $$unformatted" >&2; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go mod tidy -diff
	@set -e; for m in $(MODULES); do (set -x; cd $$m; go run $(STATICCHECK) ./...; go mod tidy -diff); done

.PHONY: bench
bench: ## what Deeds costs besides the model
	go test -run='^$$' -bench=. -benchmem ./behavior/... ./internal/... ./results/...

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

# What a target cannot do without.
.PHONY: need-model need-signal
need-model:
	@test -n '$(MODEL)' || { echo 'deeds: no model to play; hint: give MODEL=name, and BASE_URL= or OPENAI_BASE_URL' >&2; exit 2; }
need-signal:
	@test -n '$(SIGNAL)' || { echo 'deeds: no signal to gate on; hint: give SIGNAL=filesystem-safety, or several with commas' >&2; exit 2; }
