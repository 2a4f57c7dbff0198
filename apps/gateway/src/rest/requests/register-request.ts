import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import * as field from '@rubrica/contracts/shared/fields';
import { formatTimestamp, uuidv7 } from '@rubrica/process/time';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { createOperationBodyPlan } from '../../body/body.ts';
import { requirePartner } from '../../context.ts';
import { createIdentifier } from '../../fields/identifier.ts';
import { parseFields, parseTextFields, type TextShape } from '../../fields/parse-fields.ts';
import { getCallerAddress } from '../../http/caller-address.ts';
import type { Handler } from '../../http/handler.ts';
import { setQuotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { answerDryRun, planBody, readDryRun } from './dry-run.ts';

type Deps = Pick<RestDeps, 'peers' | 'readJsonBody' | 'sealPassword' | 'limits' | 'timeZone'>;
export type Registered = z.output<typeof requestsContract.registerOutput>;

/** Family whose body has fields and perhaps a password, but no files. */
export interface PlainFamily {
  readonly operation: OperationId;
  readonly family: Family;
  /** Fields that intake gets unchanged. */
  readonly shape: TextShape;
  /** True if the body may contain the certificate's password. */
  readonly takesPassword: boolean;
  /** Files that callers send although the family does not use them; they are not reported as fields. */
  readonly ignoredFiles?: readonly string[];
  /** True if registering accepts the terms: the caller is stored as evidence. */
  readonly acceptsTerms?: boolean;
  /** Builds the fields of the answer other than identifier, reference and date; by default both states. */
  readonly answerFields?: (registered: Registered, timeZone: string) => Readonly<Record<string, unknown>>;
}

const secretShape = { password: field.password.optional() } as const;
function getStates({ status, validationStatus }: Registered) {
  return { status, validationStatus };
}

/**
 * Registers a request of a family without files. The request's id is created here, so that a call with an unknown
 * outcome may be repeated.
 */
export function createRegisterRequest(deps: Deps, kind: PlainFamily): Handler {
  const plan = createOperationBodyPlan(kind.operation, deps.limits, kind.ignoredFiles);
  const identifier = createIdentifier(kind.family);
  const { answerFields = getStates } = kind;
  const takesDryRun = 'dryRun' in operations[kind.operation];
  return async (request, reply) => {
    const dryRun = takesDryRun ? readDryRun(request) : undefined;
    const body = await deps.readJsonBody(request, dryRun ? planBody(plan, dryRun) : plan);
    const input = await toInput(body.fields, kind, deps);
    if (dryRun?.isDry) {
      const faults = [...dryRun.faults, ...input.faults];
      const given = { operation: kind.operation, fields: body.fields };
      return answerDryRun(deps, { given, input: { ...input, faults } }, { request, reply });
    }
    const fullInput = kind.acceptsTerms ? { ...input, acceptance: createAcceptance(request) } : input;
    const options = { for: requirePartner(request) };
    const registered = await deps.peers.intake['requests.register'](fullInput, options);
    setQuotaHeaders(reply, registered.quota);
    return {
      ...identifier.answer(registered.requestId),
      referenceTransaction: registered.referenceTransaction,
      ...answerFields(registered, deps.timeZone),
      createdAt: formatTimestamp(new Date(registered.createdAt), deps.timeZone),
    };
  };
}

function createAcceptance(request: FastifyRequest): requestsContract.RegisterInput['acceptance'] {
  return {
    language: request.call.language,
    remoteAddress: getCallerAddress(request),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
  };
}

async function toInput(
  fields: Readonly<Record<string, unknown>>,
  { family, shape, takesPassword }: PlainFamily,
  { sealPassword }: Pick<Deps, 'sealPassword'>,
): Promise<requestsContract.RegisterInput> {
  const requestId = uuidv7();
  const parsed = parseTextFields(shape, fields);
  const secret = takesPassword ? parseFields(secretShape, fields) : { values: {}, faults: [] };
  const { password } = secret.values;
  return {
    requestId,
    family,
    fields: parsed.fields,
    faults: [...parsed.faults, ...secret.faults],
    files: [],
    ...(password === undefined ? {} : { sealedPassword: await sealPassword(password, requestId) }),
  };
}
