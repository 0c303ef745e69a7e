import { randomUUID } from 'node:crypto';
import { timesWhatIsFree } from '../async/adaptive-limit.ts';
import { createUnderWay, type UnderWay } from '../async/under-way.ts';
import type { InstanceLog } from '../runtime/log.ts';
import { type Metrics, noMetrics } from '../runtime/metrics.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import type { Clock, Instant } from '../time/clock.ts';
import type { Emit, FunctionContext } from './context.ts';
import { BrokenOff, failureResponse, NotDelivered, TooManyRequests } from './failures.ts';
import type { Handler } from './function.ts';
import { type HttpRequest, type HttpResponse, text } from './message.ts';

export interface AppOptions {
  clock: Clock;
  log: InstanceLog;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** What is shown to Prometheus; without it there is no such page. */
  metricsPage?: () => Promise<HttpResponse>;
  /** Traces nothing unless given. */
  tracing?: Tracing;
  /** Time a request has, its body included. */
  requestTimeoutSeconds: number;
  bodyLimitBytes?: number;
  /** Where requests are to be found while they are worked on. */
  inFlight?: UnderWay<Flight>;
  /** How many of them there may be at a time; any number if it is not given. */
  maxInFlight?: number;
  /** What the instance still waits for, and why; while there is anything no requests are wanted. */
  waitsFor?: () => readonly string[];
  /** Where events other than replies go. */
  emit?: Emit;
  newRequestId?: () => string;
}

/** Answers each request, whatever it is sent over. */
export type App = (request: HttpRequest) => Promise<HttpResponse>;

const defaultBodyLimitBytes = 4 * 1024 * 1024;

/** All that is answered over HTTP: one path for each function, and the health of the instance. */
export function createApp(handlers: Readonly<Record<string, Handler>>, options: AppOptions): App {
  const functions = new Map(Object.entries(handlers));
  const { inFlight = createUnderWay(), maxInFlight = Number.POSITIVE_INFINITY, metricsPage } = options;
  const handle = (handler: Handler, request: HttpRequest): Promise<HttpResponse> => {
    const flight = flightOf(request, options);
    const reserveCapacity = (cluster: string): void =>
      takeShare(cluster, flight, inFlight.all(), maxInFlight);
    const context = { ...contextOf(flight, options), reserveCapacity };
    if (inFlight.all().length >= maxInFlight) {
      return countingRequest(context, () => turnAway(maxInFlight, request, context));
    }
    return inFlight.during(flight, () => countingRequest(context, () => handler(request, context)));
  };
  return async (request) => {
    const { path } = request;
    if (path === '/health/liveness') return only('GET', request) ?? text(200, 'alive');
    if (path === '/health/readiness') return only('GET', request) ?? readiness(options);
    if (path === '/metrics' && metricsPage !== undefined) return only('GET', request) ?? metricsPage();
    const handler = functions.get(path);
    if (handler === undefined) return text(404, `no function at ${path}`);
    return only('POST', request) ?? handle(handler, request);
  };
}

/** Reads the body and drops it: a sender that still writes would see a broken connection, not the answer. */
async function turnAway(most: number, request: HttpRequest, { log }: FunctionContext): Promise<HttpResponse> {
  await request.readBody(0).catch((error: unknown) => {
    if (!(error instanceof BrokenOff)) throw error;
  });
  const why = new TooManyRequests(most);
  const answer = failureResponse(why);
  log.warn('request', { status: answer.status, failure: 'too-many', why: why.message });
  return answer;
}

function only(method: string, request: HttpRequest): HttpResponse | undefined {
  if (request.method === method) return undefined;
  return text(405, `${request.path} takes ${method} only`, { allow: method });
}

function readiness({ waitsFor }: AppOptions): HttpResponse {
  const missing = waitsFor?.() ?? [];
  return missing.length === 0 ? text(200, 'ready') : text(503, `not ready: ${missing.join('; ')}`);
}

function flightOf({ path, headers }: HttpRequest, { clock, newRequestId = randomUUID }: AppOptions): Flight {
  // Brokers pass this header on, so one id can be followed through a chain of functions.
  const request = headers['x-request-id'] ?? newRequestId();
  return { function: path.slice(1), request, since: clock.now() };
}

function contextOf(flight: Flight, options: AppOptions): Omit<FunctionContext, 'reserveCapacity'> {
  const { clock, requestTimeoutSeconds, bodyLimitBytes = defaultBodyLimitBytes } = options;
  const { emit = nowhere, metrics = noMetrics, tracing = noTracing } = options;
  const { function: name, request } = flight;
  const age = clock.stopwatch();
  return {
    requestId: request,
    function: name,
    log: options.log.child({ function: name, request }),
    metrics,
    tracing,
    clock,
    emit,
    bodyLimitBytes,
    age,
    getRemainingTimeInMillis: () => requestTimeoutSeconds * 1_000 - age(),
  };
}

function nowhere(): Promise<void> {
  return Promise.reject(new NotDelivered('there is no sink for events other than the reply'));
}

/**
 * Counts a request that was taken in for a workload cluster. One slow cluster would otherwise take all places, and no
 * Machine of another would have its turn. Throws TooManyRequests where the cluster has its share.
 */
export function takeShare(cluster: string, flight: Flight, flights: readonly Flight[], most: number): void {
  if (flight.cluster === cluster) return;
  const taken = flights.filter((each) => each.cluster === cluster).length;
  if (taken > timesWhatIsFree * (most - flights.length)) throw new TooManyRequests(taken, cluster);
  flight.cluster = cluster;
}

/** A request that was taken in and is not answered yet. */
export interface Flight {
  function: string;
  request: string;
  since: Instant;
  /** The workload cluster that it may have to wait for, once that is known. */
  cluster?: string;
}

/** Counts a request to a function, and how long it takes. */
async function countingRequest(
  { metrics, age, function: name }: FunctionContext,
  answer: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const labels = { function: name };
  metrics.add('requestsInFlight', labels, 1);
  let status = 'none';
  try {
    const response = await answer();
    status = String(response.status);
    return response;
  } finally {
    metrics.add('requestsInFlight', labels, -1);
    metrics.count('requests', { ...labels, status });
    metrics.observe('requestSeconds', labels, age() / 1_000);
  }
}
