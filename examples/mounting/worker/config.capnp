using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "at-root", worker = .atRoot), (name = "below-prefix", worker = .belowPrefix)],
  sockets = [
    (name = "atRoot", address = "127.0.0.1:0", http = (), service = "at-root"),
    (name = "belowPrefix", address = "127.0.0.1:0", http = (), service = "below-prefix"),
  ],
);
const atRoot :Workerd.Worker = (
  modules = [(name = "at-root.js", esModule = embed "dist/at-root.js")],
  compatibilityDate = "2026-10-01",
);
const belowPrefix :Workerd.Worker = (
  modules = [(name = "below-prefix.js", esModule = embed "dist/below-prefix.js")],
  compatibilityDate = "2026-10-01",
);
