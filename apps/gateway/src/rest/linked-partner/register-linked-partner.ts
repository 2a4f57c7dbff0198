import type { DryRunResult } from '@rubrica/contracts/rest/dry-run';
import { linkedPartnerShape } from '@rubrica/contracts/rest/linked-partner';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import * as field from '@rubrica/contracts/shared/fields';
import { formatTimestamp, uuidv7 } from '@rubrica/process';
import type { z } from 'zod';
import type { SealedBody } from '../../body/body.ts';
import { createOperationBodyPlan, fileLimits } from '../../body/body.ts';
import { type Language, requirePartner } from '../../context.ts';
import { parseFields, parseTextFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import { setQuotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { withBundle } from '../evidence/bundle-files.ts';
import { checkEvidences, createMissingEvidences, evidenceFilePath } from '../evidence/check-evidences.ts';
import { type CallerContext, checkRegistration, type DryRunMode, readDryRun } from '../requests/dry-run.ts';

const secretShape = { password: field.password.optional() } as const;

type Registered = z.output<typeof requestsContract.registerOutput>;
type Result = ReturnType<typeof toResult>;

/**
 * Registers a linked-partner request. The request's id is created here, before any upload, so that a call with an
 * unknown outcome may be repeated.
 */
export function createRegisterLinkedPartner(deps: RestDeps): Handler {
  const plan = createOperationBodyPlan('registerLinkedPartner', deps.limits, [evidenceFilePath]);
  const register = createRegisterOne(deps);
  return async (request, reply) => {
    const dryRun = readDryRun(request);
    const body = await deps.readJsonBody(request, dryRun.planOf(plan));
    const { language } = request.call;
    const tellQuota = (quota: Registered['quota']) => setQuotaHeaders(reply, quota);
    const result = await register(body, {
      asked: dryRun,
      caller: requirePartner(request),
      language,
      tellQuota,
    });
    if ('valid' in result || result.errors.length > 0) setLanguageHeaders(language, reply);
    return result;
  };
}

interface RegisterOptions extends CallerContext {
  readonly asked: DryRunMode;
  /** Receives the partner's remaining quota, if there is one. */
  readonly tellQuota?: (quota: Registered['quota']) => void;
}

/**
 * Registers the request of one body, or only checks it in a dry run.
 * @throws AppError
 */
export type RegisterOne = (body: SealedBody, situation: RegisterOptions) => Promise<Result | DryRunResult>;

export function createRegisterOne(
  deps: Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'>,
): RegisterOne {
  const files = fileLimits(deps.limits);
  return async (body, { asked, caller, language, tellQuota }) => {
    const evidences = checkEvidences(body, files) ?? createMissingEvidences();
    const input = await toInput(body, [...asked.faults, ...evidences.faults], deps);
    if (asked.isDry) {
      const given = { operation: 'registerLinkedPartner', fields: body.fields } as const;
      return checkRegistration(deps, { given, input: input, errors: evidences.errors }, { caller, language });
    }
    const fullInput = await withBundle(input, { body, ...evidences }, deps);
    const registered = await deps.peers.intake['requests.register'](fullInput, { for: caller });
    tellQuota?.(registered.quota);
    return toResult(registered, { timeZone: deps.timeZone, language });
  };
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

function toResult(
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
