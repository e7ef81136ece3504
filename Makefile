# Everything one does with this repository. Each target first installs what the machine lacks; on Debian
# and Ubuntu that takes Rust, Node, git and make to begin with, and root or sudo.

TARGET := $(or $(CARGO_TARGET_DIR),target)
NPM_STAMP := ui/node_modules/.package-lock.json
UI_SOURCES := $(shell find ui/src ui/index.html ui/vite.config.ts ui/tsconfig.json icons/icon.svg)

.DEFAULT_GOAL := help
.PHONY: help run window test soak bench icons clean
# The recipes share Cargo's lock and the terminal.
.NOTPARALLEL:

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 9

run: ## build the hub and ht, and run the hub until Ctrl-C
	@.ci/setup hub
	cargo build -p hotline-hub -p hotline-cli --bins
	@.ci/serve $(TARGET)/debug

window: ## build and open the window
	@.ci/setup hub window page
	@$(MAKE) --silent ui/dist/index.html
	cargo run -p hotline

test: ## run every check and every test
	@.ci/setup hub window page tests deny
	@$(MAKE) --silent $(NPM_STAMP)
	@.ci/test

soak: ## run the long part of the test suite
	@.ci/setup hub tests
	HOTLINE_LONG=1 cargo test -p hotline-cli --test desk

bench: ## measure the path of one ask
	@.ci/setup hub
	cargo bench -p hotline-hub --bench asks

icons: ## draw every size of the icons from their sources
	@.ci/setup icons
	icons/draw

clean: ## remove all that was built or installed here
	cargo clean
	rm -rf ui/dist ui/node_modules src-tauri/gen

ui/dist/index.html: $(UI_SOURCES) $(NPM_STAMP)
	cd ui && npm run --silent build

$(NPM_STAMP): ui/package.json ui/package-lock.json
	cd ui && npm ci
	@touch $@
