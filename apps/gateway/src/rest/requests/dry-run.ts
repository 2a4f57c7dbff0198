import { type DryRunResult, dryRunQuery, dryRunSuffix } from '@rubrica/contracts/rest/dry-run';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import { type Language, type PartnerCaller, requirePartner } from '../../context.ts';
import { parseQuery } from '../../fields/parse-query.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import type { RestDeps } from '../deps.ts';
import { findIgnored, type ReceivedBody } from './find-ignored.ts';

/** Dry-run mode of a registration. */
export interface DryRunMode {
  readonly isDry: boolean;
  /** Faults of the parameter, reported with those of the body. */
  readonly faults: readonly ErrorDetail[];
  /** Adapts a plan: files of a dry run are checked but not stored. */
  planOf(plan: BodyPlan): BodyPlan;
}

/**
 * Reads the dry-run mode from the address or the parameter. An invalid value is refused, because its caller does not
 * intend to register.
 */
export function readDryRun({
  query,
  routeOptions,
}: Pick<FastifyRequest, 'query' | 'routeOptions'>): DryRunMode {
  if (routeOptions.url?.endsWith(dryRunSuffix)) return { isDry: true, faults: [], planOf: dropFiles };
  const { values, faults } = parseQuery(dryRunQuery.shape, query);
  const isDry = values.dryRun === 'true' || faults.length > 0;
  return { isDry, faults, planOf: isDry ? dropFiles : (plan) => plan };
}

function dropFiles(plan: BodyPlan): BodyPlan {
  return { ...plan, dropsFiles: true };
}

export interface DryRun {
  readonly given: ReceivedBody;
  readonly input: requestsContract.RegisterInput;
  /** Errors of evidences that could not be accepted: the request would be registered in ERROR. */
  readonly errors?: readonly ErrorDetail[];
}

/**
 * Answers a dry run.
 * @throws AppError the refusal of the registration
 */
export async function answerDryRun(
  deps: Pick<RestDeps, 'peers'>,
  dryRun: DryRun,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<DryRunResult> {
  const { language } = request.call;
  const result = await checkRegistration(deps, dryRun, { caller: requirePartner(request), language });
  setLanguageHeaders(language, reply);
  return result;
}

/** Caller of a registration or dry run, with the language of its texts. */
export interface CallerContext {
  readonly caller: PartnerCaller;
  readonly language: Language;
}

/**
 * Checks a registration with intake.
 * @throws AppError the refusal of the registration
 */
export async function checkRegistration(
  { peers }: Pick<RestDeps, 'peers'>,
  { given, input: { acceptance: _acceptance, evidence: _evidence, ...input }, errors = [] }: DryRun,
  { caller, language }: CallerContext,
): Promise<DryRunResult> {
  const found = await peers.intake['requests.dryRun'](input, { for: caller });
  const warnings = [...found.warnings, ...findIgnored(given)].map((item) => localize(item, language));
  if (errors.length === 0) return { valid: true, warnings };
  return { valid: false, warnings, errors: errors.map((item) => localize(item, language)) };
}
