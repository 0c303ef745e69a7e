import type { MachineSelection } from '../../../shared/explain/fleet/selection.ts';
import { SelectorSyntaxError, selectorOf } from '../../../shared/kubernetes/selector-text.ts';

/** What an address asks a plan of many for, or why it makes no sense. */
export type AskedSelection = { selection: MachineSelection } | { problem: string };

/** `pageNamespace`: that of all Machines which the page shows; undefined where it shows those of all. */
export function selectionIn(query: URLSearchParams, pageNamespace: string | undefined): AskedSelection {
  // A field of a form that is left empty asks for nothing.
  const said = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const namespace = said('namespace') ?? pageNamespace;
  if (pageNamespace !== undefined && namespace !== pageNamespace)
    return { problem: `this page is about the namespace ${JSON.stringify(pageNamespace)} alone` };
  const labelSelector = said('selector');
  const problem = labelSelector && selectorProblem(labelSelector);
  if (problem !== undefined) return { problem };
  const cluster = said('cluster');
  const machineDeployment = said('machine-deployment');
  const machineSet = said('machine-set');
  return {
    selection: {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(cluster !== undefined && { cluster }),
      ...(machineDeployment !== undefined && { machineDeployment }),
      ...(machineSet !== undefined && { machineSet }),
    },
  };
}

function selectorProblem(text: string): string | undefined {
  try {
    selectorOf(text);
    return undefined;
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return `labels: ${error.message}`;
    throw error;
  }
}
