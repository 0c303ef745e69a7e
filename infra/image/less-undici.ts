import type { Plugin } from 'rolldown';

const id = '\0undici';

/**
 * The parts of undici that the connections to the API server use. All of undici loads Node's own fetch as well, and
 * takes a third of the start. The Kubernetes client's own fetch is never called here; it is Node's.
 */
const source = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import * as api from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as DecoratorHandler } from 'undici/lib/handler/decorator-handler.js';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
export const fetch = (...args) => globalThis.fetch(...args);
`;

export const lessUndici: Plugin = {
  name: 'less-undici',
  resolveId: (wanted) => (wanted === 'undici' ? { id, moduleSideEffects: true } : undefined),
  load: (wanted) => (wanted === id ? source : undefined),
};
