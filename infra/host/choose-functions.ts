import type { Handler } from '../../shared/http/function.ts';
import { type Config, ConfigInvalid } from '../../shared/runtime/config.ts';

/** The functions that this process serves, by their paths: those that are asked for by name, or all. Throws ConfigInvalid. */
export function chooseFunctions(
  handlers: Readonly<Record<string, Handler>>,
  { functions }: Pick<Config, 'functions'>,
): Record<string, Handler> {
  const known = Object.keys(handlers);
  const unknown = functions.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new ConfigInvalid([`PHASEOUT_FUNCTIONS names ${names}; there are ${known.join(', ')}`]);
  }
  const chosen = Object.entries(handlers).filter(
    ([name]) => functions.length === 0 || functions.includes(name),
  );
  return Object.fromEntries(chosen.map(([name, handler]) => [`/${name}`, handler]));
}
