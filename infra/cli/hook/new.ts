import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { entriesIn, fileProblem } from '../../terminal/file-problem.ts';
import type { Outside } from '../../terminal/outside.ts';
import { parseArguments, refuseStray } from '../../terminal/parse-arguments.ts';
import { CannotDo, UsageError } from '../../terminal/usage-error.ts';
import { namespaceOf } from '../source.ts';
import { type Language, optionsOfNew } from './options.ts';

const kit = new URL('kit/', import.meta.url);

const manifests = ['deletion-hook.yaml', 'trigger.yaml', 'service.yaml'];

interface Kit {
  files: readonly string[];
  start: string;
  test: string;
}

/** The files of each language, how it is started, and how its test is run. */
const kits: Readonly<Record<Language, Kit>> = {
  typescript: {
    files: ['work.ts', 'function.ts', 'main.ts', 'function.test.ts', 'Dockerfile'],
    start: 'node main.ts',
    test: 'node --test',
  },
  python: {
    files: ['work.py', 'function.py', 'main.py', 'test_function.py', 'Dockerfile'],
    start: 'python3 main.py',
    test: 'python3 -m unittest',
  },
};

interface Names {
  name: string;
  namespace: string;
}

/** `phaseout hook new`. Resolves with the exit code; throws what main knows how to say. */
export async function hookNew(args: readonly string[], outside: Outside): Promise<number> {
  const { values, rest } = parseArguments(args, optionsOfNew);
  const names = { name: nameIn(rest), namespace: labelIn('--namespace', namespaceOf(values) ?? 'default') };
  const language = values.language ?? 'typescript';
  const folder = resolve(outside.folder, names.name);
  if ((await entriesIn(folder)).length > 0)
    throw new CannotDo(`${folder} has files in it: choose another name, or move them away`);
  const paths = [
    ...kits[language].files.map((file) => `${language}/${file}`),
    ...manifests.map((file) => `manifests/${file}`),
  ];
  await writeKit(folder, paths, names);
  outside.stdout.write(nextSteps(names, kits[language]));
  return 0;
}

function nameIn([name, ...more]: readonly string[]): string {
  if (name === undefined) throw new UsageError('hook new needs the name of the DeletionHook');
  refuseStray(more);
  return labelIn('hook new', name);
}

const labelForm = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A Knative Service has this name, and a Service of Kubernetes behind it. */
function labelIn(of: string, text: string): string {
  if (labelForm.test(text)) return text;
  throw new UsageError(
    `${of} takes a name of at most 63 lower-case letters, digits and hyphens, not ${JSON.stringify(text)}`,
  );
}

/** The kit has these two words in the place of real names: its files can be checked as they are. */
const written = (text: string, { name, namespace }: Names): string =>
  text.replaceAll('my-namespace', namespace).replaceAll('my-hook', name);

async function writeKit(folder: string, paths: readonly string[], names: Names): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const path of paths) {
      const text = await readFile(new URL(path, kit), 'utf8');
      await writeFile(join(folder, path.slice(path.indexOf('/') + 1)), written(text, names));
    }
  } catch (error) {
    throw new CannotDo(`${folder}: ${fileProblem(error)}`);
  }
}

const nextSteps = ({ name, namespace }: Names, { start, test }: Kit): string => `${name}/ is written.

  cd ${name}
  ${test.padEnd(36)}its own test
  ${start.padEnd(36)}serves it on 127.0.0.1:8080
  phaseout hook test http://127.0.0.1:8080

Write the work in ${name}/work.*: the example moves nothing, and in a cluster it holds the Machine.
Then build the image, name it in service.yaml, and apply the three manifests. The Trigger goes to phaseout's
namespace; it brings the calls of the DeletionHook ${namespace}/${name}.
`;
