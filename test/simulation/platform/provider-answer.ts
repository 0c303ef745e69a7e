import type { Operation } from '../../../shared/actuator/contract.ts';
import type { Actuator } from '../../../shared/actuator/port.ts';

export type ProviderAnswer = Awaited<ReturnType<Actuator[Operation]>>;
