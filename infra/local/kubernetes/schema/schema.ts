/** The part of a CustomResourceDefinition's schema that this server obeys. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'set' | 'map' | 'atomic';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** A rule in CEL, as a definition states it. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  /** Below the value that the rule is of: `.spec.size`. */
  readonly fieldPath?: string;
  readonly reason?: string;
  readonly optionalOldSelf?: boolean;
}

export function keepsUnknownFields(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Whether something holds of a schema or of any below it; found out once for each. */
export function anywhere(holds: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const known = new WeakMap<Schema, boolean>();
  const isSo = (schema: Schema): boolean => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const found = holds(schema) || schemasBelow(schema).some(isSo);
    known.set(schema, found);
    return found;
  };
  return isSo;
}

const schemasBelow = ({ items, additionalProperties: rest, properties = {} }: Schema): Schema[] => [
  ...Object.values(properties),
  ...(items ? [items] : []),
  ...(typeof rest === 'object' ? [rest] : []),
];
