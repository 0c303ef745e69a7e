import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { main } from '../../infra/cli/main.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../shared/dialects/dialect.ts';
import { anOutside } from '../infra/cli/outside.ts';
import { quickClock } from '../infra/cli/quick-clock.ts';
import { type CommandLine, commandIn } from './tutorial.ts';

/** For what comes sooner or later: on a busy computer it is later. */
const longestMilliseconds = 60_000;

type Env = Record<string, string>;
type Started = Awaited<ReturnType<typeof started>>;

export interface Answer {
  name: string;
  code: number;
  text: string;
}

/** One for all: they would not agree on the time otherwise. */
const clock = quickClock(8);

/** A command that goes on, once it says what it serves. */
async function started(args: readonly string[], env: Env) {
  const { outside, written, folder, interrupt } = await anOutside({ clock });
  const ended = main(['run', ...args], { ...outside, env: { ...outside.env, ...env } });
  const untilTold = (text: string) =>
    vi.waitFor(() => expect(written.stdout).toContain(text), longestMilliseconds);
  await untilTold('Serving until Ctrl-C');
  const end = async () => {
    interrupt();
    expect(await ended).toBe(0);
  };
  return { written, folder, untilTold, end };
}

/** The two commands of kubectl that the tutorial has. */
async function kubectl(line: string, file: string): Promise<void> {
  const [, namespace = '', verb, name = '', key = '', value = ''] =
    /^kubectl -n (\S+) (label|delete) machines\.cluster\.x-k8s\.io (\S+) (\S+?)(?:=(\S+))?$/.exec(line) ?? [];
  const kubernetes = connect(loadKubeConfig({ file }), { clock: quickClock(1) });
  const machines = resourceOf(clusterApi, 'v1beta2');
  if (verb === 'label') {
    await kubernetes.mergePatch(machines, { namespace, name }, { metadata: { labels: { [key]: value } } });
  } else {
    const machine = await kubernetes.get(machines, { namespace, name });
    await kubernetes.delete(machines, { namespace, name }, machine?.metadata.uid ?? 'no such Machine');
  }
  await kubernetes.close();
}

/** A reader with two terminals, who does what a line says and waits for what the page says. */
class Reader {
  readonly answers: Answer[] = [];
  private readonly kubeconfig: string;
  private second: Started | undefined;

  constructor(kubeconfig: string) {
    this.kubeconfig = kubeconfig;
  }

  async type(line: string): Promise<void> {
    const command = commandIn(line);
    if (command === undefined) return kubectl(line, this.kubeconfig);
    await this.wait(command);
    if (command.name === 'run') this.second = await started(this.filled(command), this.env(command));
    else this.answers.push(await this.ask(command));
  }

  /** A history is asked, and phaseout ended, once the Machine is gone. The hook comes within seconds. */
  private async wait(command: CommandLine): Promise<void> {
    const { second } = this;
    if (second === undefined) return;
    if (['history', 'release'].includes(command.name)) await second.untilTold('is gone after');
    if (['run', 'release'].includes(command.name)) {
      await second.end();
      this.second = undefined;
    }
    if (command.name === 'hooks') {
      const hasHook = async () => expect((await this.ask(command)).text).toContain('phaseout.dev');
      await vi.waitFor(hasHook, longestMilliseconds);
    }
  }

  private async ask(command: CommandLine): Promise<Answer> {
    const { outside, written } = await anOutside({ clock });
    const env = { ...outside.env, ...this.env(command) };
    const code = await main([command.name, ...this.filled(command)], { ...outside, env });
    return { name: command.name, code, text: written.stdout + written.stderr };
  }

  private env({ env }: CommandLine): Env {
    return { ...env, KUBECONFIG: this.kubeconfig };
  }

  /** The arguments, with what stands in their places. */
  private filled({ args }: CommandLine): string[] {
    const port = /http:\/\/127\.0\.0\.1:(\d+) --since/.exec(this.second?.written.stdout ?? '')?.[1] ?? '';
    return args.map((arg) => arg.replace('"$KUBECONFIG"', this.kubeconfig).replace('PORT', port));
  }
}

/** Types the lines one after the other; the first keeps the example fleet running. */
export async function playTutorial([first = '', ...lines]: readonly string[]): Promise<Answer[]> {
  const fleet = await started(commandIn(first)?.args ?? [], {});
  onTestFinished(fleet.end);
  const reader = new Reader(join(fleet.folder, '.phaseout/kubeconfig'));
  for (const line of lines) await reader.type(line);
  return reader.answers;
}
