import { defaultSettings } from '../../../../infra/local/controllers/machinery/settings.ts';
import { type Controller, World } from '../../../../infra/local/controllers/machinery/world.ts';
import type { Stage } from '../stage.ts';

/** Starts a controller that no local platform has: somebody else's, as much as a story needs. */
export function startOwn({ server, clock, problems }: Stage, controller: Controller): void {
  const report = (error: unknown, about: string): void =>
    void problems.push(`controller ${about}: ${String(error)}`);
  controller(new World(server.cluster, clock, defaultSettings, report));
}
