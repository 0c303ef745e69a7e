/**
 * What things cost in `npm run bench:scale`: milliseconds, unless it says otherwise. They are fitted to the code of
 * f1b0b2a0, before any mend that this bench judges, and stay as they are. Each says where it comes from:
 * - *known*: the numbers of Kubernetes.
 * - *measured*: on a real control plane, without our polling.
 * - *fitted*: to one of these two.
 *
 * A One process (`run --kubeconfig`), mode replace, Pods that stop after 1 s, two cores.
 *    50 x 20 Pods: 11.7–15.1 s, 2,300 requests, 6.7–10 CPU s of ours.
 *    200 x 20 Pods: 48–51 s, 10,850–11,130 requests, 30–32 CPU s of ours, 50 of the API server.
 *    With an etcd that makes lists slow, 200 x 20: 146 s.
 *
 * B Knative's data plane, 50 x 10 Pods, with 1, 2 and 5 instances.
 *    Time: 15–19, 21–26 and 30 s.
 *    Requests: 1,810–2,010, 2,566–2,914 and 4,128.
 *    Pods evicted twice: 0, 60–86 and 340.
 *    Conflicts: 0–1, 64–106 and 232.
 */
export const constants = {
  /** Measured: all ran on so many, API server, etcd, controllers and phaseout. */
  cores: 2,

  apiServer: {
    /** CPU by verb, with etcd's share. Fitted to A: the sum, 50 s at 200 Machines; their proportions are a guess. */
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
     * The number of parts of each request, each with its own turn. Known: an eviction reads the Pod, writes a condition
     * and deletes. Each part goes to etcd, and the server answers later reads meanwhile. The numbers are a guess.
     */
    stages: { get: 1, list: 1, watch: 1, create: 2, update: 2, patch: 2, delete: 2, evict: 4 },
    /** In which each part of a write waits for the disk, beside all CPU. A guess: etcd on an SSD. */
    disk: 2,
    /** CPU for a new connection: a TLS handshake. A guess: two signatures and what is around them. */
    handshake: 2.5,
    /** CPU for each object that a list answers with, and for each line of a watch. A guess: 2 KiB of JSON. */
    listed: 0.06,
    watchLine: 0.1,
    /** With lists that etcd makes slow, CPU for each object that is read, of whatever Node it is. Fitted to A. */
    scanned: 0.042,
    /** CPU for what a kubelet or controller writes. Fitted to A, with those above. */
    othersWrite: 2,
    /** Requests at once at the level workload-low, where service accounts are. Known: 100 parts in 245 of 600. */
    seats: 245,
    /** Requests of one user that may queue there. Known: a hand of 6 queues with 50 places each. */
    queued: 300,
    /** In seconds. Known: a request may queue for a quarter of its minute; one that may not gets this Retry-After. */
    queueSeconds: 15,
    retryAfterSeconds: 1,
  },

  /** Kubelets and controllers, which here ask the cluster itself. */
  others: {
    /** How many looks they take at once, and CPU of the API server for which each waits. Fitted to B: evicted twice. */
    atOnce: 5,
    waits: 0.3,
    /** Their own CPU for each look, and for each change that they see. Fitted to A: what is left of two cores. */
    looks: 1.2,
    sees: 0.3,
    /** From a Pod's being bound to Ready. Known: so it was played where this was measured. */
    podStartSeconds: 1,
  },

  /** Cluster API's own controller beside phaseout. */
  peer: {
    /** From one look at a Machine to the next, at least. Known: its rate limit for reconciles. */
    between: 1_000,
    /** Before conditions are written once more. A guess: the first steps of its backoff. */
    afterConflict: 100,
    /** So much longer than phaseout's requests its own were counted. Known: for its Events come late. */
    countedAfter: 3_000,
    /**
     * Its own CPU for each change that it sees, and for each request. Measured: 13.9 CPU s and 10,656 requests for 200
     * Machines of 20 Pods, which it drained alone. The part of what it sees, some 3,600 changes, is a guess.
     */
    sees: 0.3,
    request: 1.2,
  },

  /** CPU of phaseout, on the one thread of an instance. */
  instance: {
    /** A TLS handshake. A guess, as at the API server. */
    handshake: 2.5,
    /** A request to an API server: built and sent; answered, with each KiB to parse; a line of a watch. Fitted to A. */
    send: 0.6,
    receive: 0.45,
    kibibyte: 0.02,
    watchLine: 0.2,
    /** An event that a function takes, with the step that it asks for; its answer; an event that is sent. Fitted to A. */
    take: 1,
    answer: 0.3,
    tell: 0.4,
    /** A call of the store. Fitted to A. */
    store: 0.5,
    /**
     * From a Pod's end to the first request of the step that waited for it, beside all CPU. Measured: 8 to 30 ms on the
     * control plane, in ten rounds of a budget.
     */
    wake: 10,
  },

  /** Where phaseout runs. */
  planes: {
    /** All in one process, on one thread: sources, Broker and store as well. Fitted to A. */
    process: {
      source: 0.8,
      ingress: 0.3,
      delivery: 0.8,
      store: 0.5,
      hop: 0,
      storeLatency: 0,
      slowness: 1,
      cold: { milliseconds: 0, factor: 1 },
    },
    /** With Knative beside it. */
    knative: {
      /** CPU for each change that the source sends. Measured at an idle time: 390–460 a second, Broker included. */
      source: 1,
      /** CPU of the Broker for each event taken in; of filter, gateway and queue-proxy for each delivery. Fitted to B. */
      ingress: 1,
      delivery: 2,
      /** CPU of the table for each call, and the way there. A guess. */
      store: 0.5,
      storeLatency: 2,
      /** On the way from one to the next. A guess. */
      hop: 2,
      /** All takes so many times as long: Knative's other processes run on the same cores. Fitted to B: seconds of one. */
      slowness: 1.7,
      /** So much of an instance's first work takes so many times as long: new code. Fitted to B: seconds of five. */
      cold: { milliseconds: 700, factor: 3 },
    },
  },
} as const;

export type Plane = keyof typeof constants.planes;
