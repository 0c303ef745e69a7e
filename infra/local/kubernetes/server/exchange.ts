import type { Cause, Target, WriteOptions } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import { forbidden, unsupported } from '../objects/status.ts';
import { mediaType } from './body.ts';
import type { Presentation } from './presentation.ts';
import { type ApiRequest, dryRunRefusals, invalidOptions } from './request.ts';

/** One request about a resource, on its way to an answer. */
export interface Exchange {
  readonly api: Api;
  readonly target: Target;
  readonly request: ApiRequest;
  readonly shown: Presentation;
  readonly warn: (text: string) => void;
}

/** Who asks, and how they are warned. */
type Asking = Pick<Exchange, 'request' | 'warn'>;

export function askedBy({ request, warn }: Asking): Pick<WriteOptions, 'user' | 'warn'> {
  return { warn, ...(request.user && { user: request.user }) };
}

const validations = ['Ignore', 'Strict', 'Warn'];

/** The write options of the request. Throws ApiError 422 for an unknown one. */
export function optionsOf({ request, warn }: Asking): WriteOptions {
  const { fieldValidation, dryRun } = request.query ?? {};
  const causes = optionRefusals(request);
  if (causes.length > 0) throw invalidOptions(request, causes);
  return {
    ...askedBy({ request, warn }),
    dryRun: dryRun === 'All',
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...ownerOptions(request),
  };
}

function optionRefusals(request: ApiRequest): Cause[] {
  const { fieldValidation, fieldManager = '', force, dryRun } = request.query ?? {};
  const isApply = request.method !== 'PATCH' || mediaType(request) === 'application/apply-patch+yaml';
  return [
    ...(force === undefined || isApply
      ? []
      : [forbidden('force', 'may not be specified for non-apply patch')]),
    ...managerRefusals(fieldManager),
    ...dryRunRefusals(dryRun ? [dryRun] : []),
    ...(!fieldValidation || validations.includes(fieldValidation)
      ? []
      : [unsupported('fieldValidation', fieldValidation, validations)]),
  ];
}

const longestManagerBytes = 128;

function managerRefusals(manager: string): Cause[] {
  if (Buffer.byteLength(manager) <= longestManagerBytes) return [];
  const message = `Too long: may not be more than ${longestManagerBytes} bytes`;
  return [{ reason: 'FieldValueTooLong', message, field: 'fieldManager' }];
}

function ownerOptions({ query, headers }: ApiRequest): Pick<WriteOptions, 'manager' | 'agent' | 'force'> {
  const { fieldManager, force } = query ?? {};
  const [agent] = headers?.['user-agent']?.split('/') ?? [];
  return {
    force: force === 'true' || force === '1',
    ...(fieldManager && { manager: fieldManager }),
    ...(agent && { agent }),
  };
}
