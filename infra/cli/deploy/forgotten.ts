import { CannotDo } from '../usage-error.ts';
import type { Ours } from './ours.ts';

/** Options about which nothing was said, though an earlier installation may have had them. */
export interface Unsaid {
  namespaces: boolean;
  dynamodbLocal: boolean;
}

/**
 * Throws CannotDo where what would be removed shows that an option was forgotten: phaseout would be allowed more than
 * it was, or lose its store.
 */
export function refuseForgotten(
  old: readonly Ours[],
  { namespaces, dynamodbLocal }: Unsaid,
  home: string,
): void {
  const of = (kind: string) =>
    old.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata);
  const watched = of('ApiServerSource').flatMap(({ namespace }) =>
    namespace === undefined || namespace === home ? [] : [namespace],
  );
  const problems = [];
  if (namespaces && watched.length > 0) {
    const names = [...new Set(watched)].join(',');
    problems.push(
      `it was installed for the Machines of some namespaces only: --namespaces ${names} leaves it so, --all-namespaces allows it more`,
    );
  }
  if (dynamodbLocal && of('Deployment').length > 0) {
    problems.push(
      'it was installed with a store of its own: --dynamodb-local leaves it so, --no-dynamodb-local takes it away',
    );
  }
  if (problems.length > 0) throw new CannotDo(problems.join('\n'));
}
