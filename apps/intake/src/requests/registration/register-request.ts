import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { UseCase } from '@rubrica/wiring';
import { readQuotaLeft } from '../request/quota/quota-statements.ts';
import { findOwnById } from '../request/request.repository.ts';
import { answerRepeat } from './answer-repeat.ts';
import { examineRegistration } from './examine-registration.ts';
import { createRepeatError } from './refuse-repeat.ts';
import { type RegisterDeps, registerExamined, toQuotaOutput } from './register-examined.ts';

type RegisterRequest = UseCase<'intake', 'requests.register'>;

/**
 * Registers a request: reports every fault at once, or commits one row with its first job. A repeat with the
 * same id gets the stored answer, so that the gateway may call again after a time-out.
 * @throws AppError as examineRegistration does, DUPLICATED_REFERENCE_TRANSACTION (409) and QUOTA_EXCEEDED
 *   (429)
 */
export function createRegisterRequest(deps: RegisterDeps): RegisterRequest {
  return async (input, { caller: { partnerId } }) => {
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRegistration(input, { partner, now }, deps);
    const registered = examined.isRepeat
      ? undefined
      : await registerExamined(deps, { input, partner, now, ...examined });
    return registered ?? answerStored(deps, { input, partnerId });
  };
}

interface RepeatInput {
  readonly input: requestsContract.RegisterInput;
  readonly partnerId: string;
}

async function answerStored({ database, timeZone }: RegisterDeps, { input, partnerId }: RepeatInput) {
  const stored = await findOwnById(database.fork(), { id: input.requestId, partnerId });
  if (!stored) throw await createRepeatError({ database }, { input, partnerId });
  const { certificateType, createdAt: now } = stored;
  const [left] = await readQuotaLeft.run(database, { partnerId, certificateType, now, timeZone });
  return { ...(await answerRepeat(database, stored)), ...toQuotaOutput(left?.quota ?? null) };
}
