# Everything one does with this repository. Each target first installs what the machine lacks; on Debian
# and Ubuntu that takes Rust, Node, git and make to begin with, and root or sudo.

TARGET := $(or $(CARGO_TARGET_DIR),target)
NPM_STAMP := ui/node_modules/.package-lock.json
UI_SOURCES := $(shell find ui/src ui/index.html ui/vite.config.ts ui/tsconfig.json icons/icon.svg)

.DEFAULT_GOAL := help
.PHONY: help run hub window test soak screen bench screenshots icons install uninstall clean
# The recipes share Cargo's lock and the terminal.
.NOTPARALLEL:

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 9

run: $(if $(DISPLAY)$(WAYLAND_DISPLAY),window,hub) ## build Hotline and run it; without a display the hub alone

hub: ## build the hub and ht, and run the hub until Ctrl-C
	@.ci/setup hub
	cargo build -p hotline-hub -p hotline-cli --bins
	@.ci/serve $(TARGET)/debug

window: ## build the app and ht, and open the app
	@.ci/setup hub window page
	@$(MAKE) --silent ui/dist/index.html
	cargo build -p hotline -p hotline-cli --bins
	$(TARGET)/debug/hotline

test: ## run every check and every test
	@.ci/setup hub window page tests deny
	@$(MAKE) --silent $(NPM_STAMP)
	@.ci/test

soak: ## run the long part of the test suite
	@.ci/setup hub window page tests stage
	@$(MAKE) --silent ui/dist/index.html
	HOTLINE_LONG=1 cargo test -p hotline-cli --test desk
	HOTLINE_LONG=1 cargo test -p hotline --test window accidents -- --test-threads 5

screen: ## run the page's tests in a browser and the window's on a screen of their own
	@.ci/setup hub window page stage browser
	@$(MAKE) --silent ui/dist/index.html
	cd ui && npm run --silent e2e
	cargo test -p hotline --test window

bench: ## measure the path of one ask
	@.ci/setup hub
	cargo bench -p hotline-hub --bench asks

screenshots: ## take the pictures of the documentation, in both themes and languages
	@.ci/setup hub window page stage pictures
	@$(MAKE) --silent ui/dist/index.html
	mkdir -p docs/images
	HOTLINE_SHOTS=$(CURDIR)/docs/images cargo test -p hotline --test window pictures -- --ignored

icons: ## draw every size of the icons from their sources
	@.ci/setup icons
	icons/draw

install: ## build a release and install it for this user, below ~/.local
	@.ci/setup hub window page
	@$(MAKE) --silent ui/dist/index.html
	cargo build --release -p hotline -p hotline-hub -p hotline-cli --bins
	@.ci/install $(TARGET)/release

uninstall: ## remove what install put there; asks, settings and logs stay
	@.ci/install --remove

clean: ## remove all that was built or installed here
	cargo clean
	rm -rf ui/dist ui/node_modules src-tauri/gen

ui/dist/index.html: $(UI_SOURCES) $(NPM_STAMP)
	cd ui && npm run --silent build

$(NPM_STAMP): ui/package.json ui/package-lock.json
	cd ui && npm ci
	@touch $@
