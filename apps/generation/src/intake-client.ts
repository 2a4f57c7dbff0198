import { type Bus, createBusClient } from '@rubrica/bus';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { type Keyring, outgoingHeaders, toAppError } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';

/** What generation asks of intake. Failures are `AppError`s. */
export interface IntakeClient {
  /** @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, SERVICE_UNAVAILABLE */
  issuanceOrder(job: { requestId: string; attempt: number }): Promise<intakeContract.IssuanceOrder>;
}

type Untyped = { issuance: { order: { query(input: unknown): Promise<unknown> } } };

/** Checked against the contract on this end too, so that a peer of another release is noticed here. */
export function createIntakeClient(deps: { bus: Bus; keyring: Keyring; timeoutMs: number }): IntakeClient {
  const client = createBusClient<AnyTRPCRouter>(deps.bus, {
    subjectPrefix: 'rpc.v1.intake',
    timeoutMs: deps.timeoutMs,
    headers: () => outgoingHeaders(deps.keyring, { kind: 'service', name: 'generation' }),
  }) as unknown as Untyped;
  return {
    async issuanceOrder(job) {
      try {
        return intakeContract.issuanceOrder.parse(await client.issuance.order.query(job));
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}
