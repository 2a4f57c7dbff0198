import type { DryRunResult } from '@rubrica/contracts/rest/dry-run';
import { linkedPartnerShape } from '@rubrica/contracts/rest/linked-partner';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import * as field from '@rubrica/contracts/shared/fields';
import { formatTimestamp, uuidv7 } from '@rubrica/process/time';
import type { z } from 'zod';
import { createOperationBodyPlan, fileLimits, type SealedBody } from '../../body/body.ts';

import { type Language, requirePartner } from '../../context.ts';
import { parseFields, parseTextFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import { setQuotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { withBundle } from '../evidence/bundle-files.ts';
import { checkEvidences, createMissingEvidences, evidenceFilePath } from '../evidence/check-evidences.ts';
import {
  type CallerContext,
  checkRegistration,
  type DryRunMode,
  planBody,
  readDryRun,
} from '../requests/dry-run.ts';

const secretShape = { password: field.password.optional() } as const;

type Registered = z.output<typeof requestsContract.registerOutput>;

/** Registers a linked-partner request. */
export function createRegisterLinkedPartner(deps: RestDeps): Handler {
  const plan = createOperationBodyPlan('registerLinkedPartner', deps.limits, [evidenceFilePath]);
  return async (request, reply) => {
    const { language } = request.call;

    // 1. The body is decoded while it arrives. Its files are encrypted, and large ones uploaded. A crash leaves them
    // in the evidence store without a row, and intake sweeps them.
    const dryRun = readDryRun(request);
    const body = await deps.readJsonBody(request, planBody(plan, dryRun));

    // 2. to 5. check the body and register it.
    const result = await registerBody(deps, body, { dryRun, caller: requirePartner(request), language });

    // 6. The answer.
    if (result.kind === 'registered') setQuotaHeaders(reply, result.quota);
    if (result.kind === 'checked' || result.answer.errors.length > 0) setLanguageHeaders(language, reply);
    return result.answer;
  };
}

interface RegisterOptions extends CallerContext {
  readonly dryRun: DryRunMode;
}

/** Result of one body. */
export type BodyResult =
  | {
      readonly kind: 'registered';
      readonly answer: ReturnType<typeof toAnswer>;
      /** Remaining quota of the partner, if there is one. */
      readonly quota: Registered['quota'];
    }
  | { readonly kind: 'checked'; readonly answer: DryRunResult };

/**
 * Registers the request of one body, of a call or of a line of a batch, or only checks it in a dry run.
 * @throws AppError
 */
export async function registerBody(
  deps: Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'>,
  body: SealedBody,
  { dryRun, caller, language }: RegisterOptions,
): Promise<BodyResult> {
  // 2. Fields and evidences are checked. Faults go to intake, which adds its own and refuses the body with all.
  const evidences = checkEvidences(body, fileLimits(deps.limits)) ?? createMissingEvidences();
  const input = await toInput(body, [...dryRun.faults, ...evidences.faults], deps);

  // 3. A dry run ends here: intake makes every check and stores nothing.
  if (dryRun.isDry) {
    const given = { operation: 'registerLinkedPartner', fields: body.fields } as const;
    const { errors } = evidences;
    return {
      kind: 'checked',
      answer: await checkRegistration(deps, { given, input, errors }, { caller, language }),
    };
  }

  // 4. The key of the files is sealed to intake. A body with faults goes without its files.
  const fullInput = await withBundle(input, { body, ...evidences }, deps);

  // 5. Intake registers the request. Its id was created here, so that a call with an unknown outcome may be repeated.
  const registered = await deps.peers.intake['requests.register'](fullInput, { for: caller });
  const answer = toAnswer(registered, { timeZone: deps.timeZone, language });
  return { kind: 'registered', answer, quota: registered.quota };
}

async function toInput(
  body: SealedBody,
  found: readonly ErrorDetail[],
  deps: Pick<RestDeps, 'sealPassword'>,
): Promise<requestsContract.RegisterInput> {
  const requestId = uuidv7();
  const { fields, faults } = parseTextFields(linkedPartnerShape, body.fields);
  const secret = parseFields(secretShape, body.fields);
  const { password } = secret.values;
  return {
    requestId,
    family: 'TV',
    fields,
    faults: [...faults, ...found, ...secret.faults],
    files: [],
    ...(password === undefined ? {} : { sealedPassword: await deps.sealPassword(password, requestId) }),
  };
}

function toAnswer(
  registered: Registered,
  { timeZone, language }: { readonly timeZone: string; readonly language: Language },
) {
  const { requestId, referenceTransaction, status, validationStatus, createdAt } = registered;
  const errors = registered.errors.map((item) => localize(item, language));
  return {
    linkedPartnerRequestId: requestId,
    referenceTransaction,
    status,
    validationStatus,
    createdAt: formatTimestamp(new Date(createdAt), timeZone),
    ...(errors.length > 0
      ? {
          message: errors
            .map(({ message }) => message)
            .join('; ')
            .slice(0, 1_000),
        }
      : {}),
    errors,
  };
}
