export {
  type Allowance,
  type BudgetLimits,
  type ByteBudget,
  createByteBudget,
} from './bodies/byte-budget.ts';
export { awaitsContinue, holdContinue, sendContinue } from './bodies/expect-continue.ts';
export { createNetworkCounts, type NetworkCounts } from './bodies/network-counts.ts';
export type { Pace, PaceWatch } from './bodies/pace.ts';
export {
  type PieceTaker,
  type ReadLimits,
  readPieces,
  tooLarge,
  type WorkSlot,
  withBytes,
} from './bodies/read-bytes.ts';
export { createChunkCounter } from './bodies/small-chunks.ts';
export { describeSettings, type SettingRow } from './config/describe-settings.ts';
export {
  databaseSettings,
  keySettings,
  logSettings,
  natsSettings,
  provisionSettings,
  type ServiceSettings,
  serviceSettings,
} from './config/fragments.ts';
export { ConfigError, type Environment, loadConfig } from './config/load-config.ts';
export { nearestName } from './config/nearest-name.ts';
export { isLoopbackAddress } from './config/production-rules.ts';
export { address, commaList, flag, integer, setting } from './config/setting.ts';
export { describeUnknownSettings } from './config/unknown-settings.ts';
export { type AmbientContext, currentContext, withContext } from './context/ambient-context.ts';
export {
  continueTrace,
  readTraceId,
} from './context/traceparent.ts';
export { type Crashpoint, crashpoint } from './crashpoint/crashpoint.ts';
export { AppError, type AppErrorOptions, isErrorCode } from './errors/app-error.ts';
export { errorDetail, fieldFault, invalidField } from './errors/error-detail.ts';
export { isClientError, toAppError } from './errors/to-app-error.ts';
export { createHttpClient, type HttpClient, type HttpRequest } from './http/http-client.ts';
export { boundPipelines } from './http/pipelines.ts';
export { announcesBody, discardBody, drainUnreadBodies } from './http/unread-bodies.ts';
export { compareKeyFiles } from './keyring/compare-key-files.ts';
export { type GeneratedKeys, generateServiceKeys } from './keyring/generate-keys.ts';
export { keyUses, type PrivateJwk, type PublicJwk } from './keyring/key-files.ts';
export {
  type CheckpointVerifier,
  type Keyring,
  loadCheckpointVerifier,
  loadKeyring,
} from './keyring/keyring.ts';
export { KeyringError, type KeyringFault } from './keyring/keyring-error.ts';
export { openKeyring } from './keyring/open-keyring.ts';
export type { PublicSigningKey } from './keyring/public-keys.ts';
export { readStatement, type StatementKind, type StatementReading } from './keyring/read-statement.ts';
export { addKey, endKey, KeyRotationError, useKey } from './keyring/rotate-keys.ts';
export type { CallRefusal, CallSeals, OpenedCall, SealedCall } from './keyring/sealed/call-seals.ts';
export type { SignedStatement } from './keyring/signed-statement.ts';
export type { LogFields } from './log/log-fields.ts';
export { createLogger, type Logger } from './log/logger.ts';
export { createHealth, type Health, type ReadinessCheck } from './management/health.ts';
export type { ManagementServer } from './management/management-server.ts';
export { metric } from './metrics/metric-row.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export {
  type AddressKind,
  forbiddenKind,
  isInNetworks,
  type Networks,
  readNetworks,
} from './networks/address-rules.ts';
export { type CountedNetwork, listNetworks } from './networks/list-networks.ts';
export { isWebPort } from './networks/web-ports.ts';
export { release } from './release.ts';
export { type BuiltService, runService, type ServiceParts } from './runner/run-service.ts';
export { createRunner, type Runner, type Stop } from './runner/runner.ts';
export { type Clock, systemClock } from './time/clock.ts';
export {
  formatLocalDate,
  formatLocalDateTime,
  formatTimestamp,
  parseDateTime,
  zoneOffsetMs,
} from './time/local-time.ts';
export {
  type ClockReference,
  createMeasuredClock,
  type MeasuredClock,
} from './time/measured-clock.ts';
export { isUuidv7, uuidv7 } from './time/uuidv7.ts';
export {
  type AccessToken,
  type AccessTokenVerifierDeps,
  createAccessTokenVerifier,
  signAccessToken,
  tokenSigner,
  type VerifyAccessToken,
} from './tokens/access-tokens.ts';
export { type CallTokenVerifierDeps, createCallTokenVerifier, signCallToken } from './tokens/call-tokens.ts';
export { knownScopes } from './tokens/caller-claims.ts';
export { newTokenBinding } from './tokens/new-token.ts';
export { SpanTemplate, templatesByName } from './tracing/span-template.ts';
export type { Tracing } from './tracing/start-tracing.ts';
export { isTracing, withLeafSpan, withSpan, withSpanIn } from './tracing/with-span.ts';
export {
  type BaseContext,
  createCallContext,
  type Identify,
  type IncomingCall,
  outgoingHeaders,
} from './trpc/call-context.ts';
export { type CallMetrics, createCallMetrics } from './trpc/call-metrics.ts';
export { describeIssue, describeType } from './trpc/describe-issue.ts';
export type { ServiceErrorData, ServiceErrorShape } from './trpc/error-shape.ts';
export { invalidInput } from './trpc/from-trpc-error.ts';
export {
  assertOperator,
  assertPartner,
  assertService,
  type OperatorCaller,
  type PartnerCaller,
  type ServiceCaller,
} from './trpc/guards.ts';
export { createServiceTrpc } from './trpc/service-trpc.ts';
