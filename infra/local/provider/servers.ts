import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import { identityOf, type MachineIdentity, newProviderId, providerIdIn, uidOf } from './identity.ts';
import type { CloudSettings } from './settings.ts';

export interface Server {
  providerId: string;
  machine: MachineIdentity;
  state: 'creating' | 'running' | 'stopping';
}

/** A server as the cloud keeps it. */
export interface KeptServer extends Server {
  address: string;
  /** When it will be in its next state; undefined when nothing is under way. */
  changesAt?: Instant | undefined;
  cancel?: (() => void) | undefined;
}

export interface ServersOptions {
  clock: Clock;
  random: () => number;
  settings: CloudSettings;
}

export type ServerListener = (server: Server, isGone: boolean) => void;

/** The servers by the UID of their Machine, and how they come and go. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #byUid = new Map<string, KeptServer>();
  readonly #listeners = new Set<ServerListener>();
  #made = 0;
  #isClosed = false;

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /** Throws Unavailable for a Machine without a UID: a server is known by nothing else. */
  of(machine: KubeObject): KeptServer | undefined {
    return this.#byUid.get(uidOf(machine));
  }

  all(): readonly Server[] {
    return [...this.#byUid.values()].map(shown);
  }

  create(machine: KubeObject): KeptServer {
    const server = this.#add(machine, 'creating', newProviderId(machine));
    this.#changeAfter(server, this.#about(this.#options.settings.createSeconds), () => {
      server.state = 'running';
      this.#tell(server);
    });
    return server;
  }

  adopt(machine: KubeObject): void {
    if (this.of(machine) !== undefined) return;
    this.#add(machine, 'running', providerIdIn(machine) ?? newProviderId(machine));
  }

  /** `seconds` as the Machine asks for; `never` keeps it in the state of stopping. */
  stop(server: KeptServer, seconds: number | 'never' | undefined): void {
    const isNew = server.state !== 'stopping';
    if (isNew) halt(server);
    server.state = 'stopping';
    if (seconds !== 'never' && server.changesAt === undefined) {
      const needed = seconds ?? this.#about(this.#options.settings.deleteSeconds);
      this.#changeAfter(server, needed, () => this.#remove(server));
    }
    if (isNew) this.#tell(server);
  }

  secondsLeft({ changesAt }: KeptServer): number | undefined {
    return changesAt === undefined ? undefined : Math.max(0, changesAt - this.#options.clock.now()) / 1000;
  }

  onChange(listener: ServerListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    for (const server of this.#byUid.values()) halt(server);
  }

  #add(machine: KubeObject, state: Server['state'], providerId: string): KeptServer {
    this.#made += 1;
    const address = `10.64.${Math.floor(this.#made / 250) % 250}.${(this.#made % 250) + 1}`;
    const server: KeptServer = { providerId, machine: identityOf(machine), state, address };
    this.#byUid.set(server.machine.uid, server);
    this.#tell(server);
    return server;
  }

  #remove(server: KeptServer): void {
    this.#byUid.delete(server.machine.uid);
    this.#tell(server, true);
  }

  #changeAfter(server: KeptServer, seconds: number, change: () => void): void {
    if (this.#isClosed) return;
    const { clock } = this.#options;
    server.changesAt = clock.now() + seconds * 1000;
    server.cancel = clock.after(seconds * 1000, () => {
      halt(server);
      change();
    });
  }

  #tell(server: KeptServer, isGone = false): void {
    const seen = shown(server);
    for (const listener of this.#listeners) listener(seen, isGone);
  }

  /** Between half and one and a half of it: no two servers of a real cloud take the same time. */
  #about(seconds: number): number {
    return seconds * (0.5 + this.#options.random());
  }
}

function halt(server: KeptServer): void {
  server.cancel?.();
  server.cancel = undefined;
  server.changesAt = undefined;
}

const shown = ({ providerId, machine, state }: KeptServer): Server => ({ providerId, machine, state });
