import { isRuledByOpenShift } from '../../shared/dialects/capi/annotations.ts';
import { authorityMessage, ruledElsewhereBy } from '../../shared/dialects/openshift/judgements.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/** Why our hook is left on the copy of a Machine that is in two APIs: the other one rules it. Undefined elsewhere. */
export function ruledElsewhere(machine: KubeObject): string | undefined {
  const authority = ruledElsewhereBy(machine);
  if (authority !== undefined)
    return `${authorityMessage(authority)}. It goes with the hook of that API's own Machine`;
  return isRuledByOpenShift(machine)
    ? "OpenShift's Machine of this name rules it. Run this again if the authority moves to Cluster API"
    : undefined;
}
