import * as z from 'zod';
import { policyIn } from '../../../infra/local/kubernetes/admission/policy.ts';
import { variableType, wordsWith } from '../../../infra/local/kubernetes/admission/words.ts';
import { compile, ExpressionUnusable } from '../../../infra/local/kubernetes/cel/expression.ts';
import { type Types, withVariables } from '../../../infra/local/kubernetes/cel/vocabulary.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { readable } from './object-literals.ts';

const named = z.strictObject({ name: z.string(), expression: z.string() });

/** What a MutatingAdmissionPolicy may have here: not JSON patches, and nothing that is not checked below. */
const mutatingSchema = z.strictObject({
  failurePolicy: z.enum(['Fail', 'Ignore']),
  reinvocationPolicy: z.enum(['Never', 'IfNeeded']),
  paramKind: z.strictObject({ apiVersion: z.string(), kind: z.string() }).optional(),
  matchConstraints: z.looseObject({}),
  matchConditions: z.array(named).default([]),
  variables: z.array(named).default([]),
  mutations: z.array(
    z.strictObject({
      patchType: z.literal('ApplyConfiguration'),
      applyConfiguration: z.strictObject({ expression: z.string() }),
    }),
  ),
});

/** Where an API server refuses a policy as it is created, and why. */
export function refusalsOf(policy: KubeObject): string[] {
  if (policy.kind === 'MutatingAdmissionPolicy') return mutatingRefusals(policy);
  const reading = policyIn(policy);
  return 'causes' in reading ? reading.causes.map(({ field, message }) => `${field}: ${message}`) : [];
}

function mutatingRefusals({ spec }: KubeObject): string[] {
  const { paramKind, matchConditions, variables, mutations } = mutatingSchema.parse(spec);
  const params: Types = paramKind ? { params: 'dyn' } : {};
  const refusals: string[] = [];
  const typeOf = (
    field: string,
    source: string,
    wanted: 'bool' | 'dyn' | 'Object',
    types?: Types,
  ): string => {
    const { text, roots, fieldsOf } = readable(source);
    const words = wordsWith({ ...params, ...roots }, fieldsOf);
    try {
      return compile(types ? withVariables(words, types) : words, text, wanted).type;
    } catch (error) {
      if (!(error instanceof ExpressionUnusable)) throw error;
      refusals.push(`${field}: Invalid value: ${JSON.stringify(source)}: ${error.message}`);
      return 'dyn';
    }
  };
  for (const [i, { expression }] of matchConditions.entries())
    typeOf(`spec.matchConditions[${i}].expression`, expression, 'bool');
  let types: Types = {};
  for (const [i, { name, expression }] of variables.entries()) {
    const type = typeOf(`spec.variables[${i}].expression`, expression, 'dyn', types);
    types = { ...types, [name]: variableType(type) };
  }
  for (const [i, { applyConfiguration }] of mutations.entries()) {
    const field = `spec.mutations[${i}].applyConfiguration.expression`;
    typeOf(field, applyConfiguration.expression.trim(), 'Object', types);
  }
  return refusals;
}
