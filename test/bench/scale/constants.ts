/**
 * What things cost in the model of `npm run bench:scale`, in milliseconds unless it says otherwise. Committed before any
 * mend that it judges, and not changed after. A guess that was fitted says to what.
 */
export const constants = {
  /** The measurement had two, for all that ran: API server, etcd, controllers and phaseout. */
  cores: 2,

  apiServer: {
    /** CPU by verb, with etcd's and TLS. */
    cpu: {
      get: 0.8,
      list: 1.6,
      watch: 1.3,
      create: 2,
      update: 2.6,
      patch: 2.6,
      delete: 2.6,
      evict: 2.9,
    },
    /**
     * In how many parts it is done, each of which waits for its turn: an eviction reads the Pod, writes a condition and
     * deletes, with a round to etcd after each, while reads that came later are answered.
     */
    stages: { get: 1, list: 1, watch: 1, create: 2, update: 2, patch: 2, delete: 2, evict: 4 },
    /** CPU for a new connection, with its handshake. */
    handshake: 3,
    /** CPU for each object that a list answers with. */
    listed: 0.06,
    /** CPU for each object that a list reads where etcd makes lists slow: it answers from etcd, of whatever Node they are. */
    scanned: 0.05,
    /** CPU for each line of a watch. */
    watchLine: 0.1,
    /** CPU for what others write: kubelets, controllers. */
    othersWrite: 2,
    /** Time in which each part of a write waits for the disk, beside all CPU. */
    disk: 2,
    /** Requests at once for workload-low, where service accounts are: 600 by default, shared by 100 of 245. */
    seats: 245,
    /** Requests of one user that may queue: a hand of 6 queues with 50 places each. */
    queued: 300,
    /** How long one may queue: a quarter of a request's minute. */
    queueSeconds: 15,
    /** What priority and fairness has those told to wait whom it turns away. */
    retryAfterSeconds: 1,
  },

  /** Kubelets and controllers, which here ask the cluster itself. */
  others: {
    /** CPU of the API server for which they wait before each look. */
    waits: 0.3,
    /** Their own CPU for each look, and for each change that they see. */
    looks: 1.2,
    sees: 0.3,
  },

  /** phaseout's own CPU, on the thread of the instance. */
  instance: {
    /** A new connection, with its handshake. */
    handshake: 3,
    /** A request to an API server: built and sent; its answer read and parsed. */
    send: 0.6,
    receive: 0.45,
    /** For each KiB of an answer. */
    kibibyte: 0.02,
    /** A line of a watch. */
    watchLine: 0.2,
    /** An event that a function takes, with the step that it asks for; its answer. */
    take: 1,
    answer: 0.3,
    /** A fact or command that is sent. */
    tell: 0.4,
    /** A call of the store. */
    store: 0.5,
  },

  /** Where phaseout runs: all of it in one process (`run --kubeconfig`), or on Knative's data plane. */
  planes: {
    process: {
      /** All of this is the process's own CPU. */
      source: 0.8,
      ingress: 0.3,
      delivery: 0.8,
      store: 0.5,
      hop: 0,
      slowness: 1,
      cold: { milliseconds: 0, factor: 1 },
      storeLatency: 0,
    },
    knative: {
      /** CPU of the adapter for each change. */
      source: 1,
      /** CPU of the Broker for each event that it takes in. */
      ingress: 1,
      /** CPU of filter, gateway and queue-proxy for each delivery. */
      delivery: 2,
      /** CPU of the table, for each call. */
      store: 0.5,
      /** On the way from one to the next. */
      hop: 2,
      slowness: 1.8,
      cold: { milliseconds: 700, factor: 3 },
      storeLatency: 2,
    },
  },
} as const;

export type Plane = keyof typeof constants.planes;
