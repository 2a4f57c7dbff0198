export { makeJpeg, makePdf, makePng } from './builders/files.ts';
export { makeCedula, makeReference, makeRuc } from './builders/identity.ts';
export {
  type LinkedPartnerBody,
  makeCompanyFields,
  makeEvidence,
  makeLinkedPartnerRequest,
} from './builders/linked-partner-request.ts';
export {
  makePdfFromObjects,
  makePngFromParts,
  objectStream,
  type PngParts,
  pngChunk,
} from './builders/odd-files.ts';
export {
  makeRegularCompany,
  makeRegularRequest,
  type RegularBody,
} from './builders/regular-request.ts';
export {
  type IdentityBody,
  makeIdentityValidation,
  makeSignatureRequest,
  type SignatureBody,
} from './builders/signature-request.ts';
export { makeSimplifiedRequest, type SimplifiedBody } from './builders/simplified-request.ts';
export { makeTransactionalRequest, type TransactionalBody } from './builders/transactional-request.ts';
export { disposeAfterAll } from './dispose-after-all.ts';
export { type ClaimClient, type ClaimPage, createClaimClient } from './partner/claim-client.ts';
export type { Answer, Delivery, Receiver } from './partner/receiver.ts';
export type { PartnerCredentials, RestAnswer, RestClient } from './partner/rest-client.ts';
export { startPartner, type TestPartner } from './partner/start-partner.ts';
export { pollFor } from './poll-for.ts';
export { recogniseText } from './recognise-text.ts';
export { allowAdvisoryLocks, holdAdvisoryLocks } from './servers/foreign-locks.ts';
export type { NatsUser } from './servers/nats/index.ts';
export { binDirectory, scratchDirectory } from './servers/scratch.ts';
export { acquireDatabases } from './servers/shared-postgres.ts';
export type { TestDatabase, TestDatabases, TestService } from './servers/test-databases.ts';
export { type TestNats, testNats } from './servers/test-nats.ts';
export { type NatsMember, type TestNatsCluster, testNatsCluster } from './servers/test-nats-cluster.ts';
export { findPooler, type TestPooler, testPooler } from './servers/test-pooler.ts';
export { type TestPostgres, testPostgres } from './servers/test-postgres.ts';
export { fakeSeals, serviceSeals, type TestSeals } from './service/call-seals.ts';
export {
  auditColumnsToAdd,
  auditRights,
  type ForgedCheckpoint,
  forgeCheckpoint,
  keyInFile,
  tamperWithAudit,
} from './service/chained-audit.ts';
export { type RefusedStart, tryAsSandbox } from './service/refused-sandbox.ts';
export { type Diagnosis, runDoctor } from './service/run-doctor.ts';
export type { Provisioning } from './service/run-provision.ts';
export { type ServiceKeyFiles, writeServiceKeys } from './service/service-keys.ts';
export {
  asProduction,
  type GroundOptions,
  type NatsAccess,
  type TestGround,
  type TestPeer,
  testGround,
} from './service/test-ground.ts';
export { type RunningTestService, startTestService } from './service/test-service.ts';
