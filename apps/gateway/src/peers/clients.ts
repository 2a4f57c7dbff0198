import { type Bus, createBusClient } from '@rubrica/bus';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import type * as reviewsContract from '@rubrica/contracts/services/schemas/reviews';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import { type Keyring, outgoingHeaders } from '@rubrica/process';
import type { AnyTRPCRouter } from '@trpc/server';
import type { z } from 'zod';

/** Per call: for whom it is made. */
export interface CallOptions {
  readonly context: { readonly headers: Readonly<Record<string, string>> };
}

interface Query<Input extends z.ZodType, Output extends z.ZodType> {
  query(input: z.input<Input>, options: CallOptions): Promise<z.output<Output>>;
}
interface Mutation<Input extends z.ZodType, Output extends z.ZodType> {
  mutate(input: z.input<Input>, options: CallOptions): Promise<z.output<Output>>;
}

type Intake = typeof intakeContract;
type Generation = typeof generationContract;
type Claims = typeof claimsContract;
type ApiFlow = typeof apiFlowContract;
type Reviews = typeof reviewsContract;
type Retrieval = typeof retrievalContract;

/** What the gateway asks of intake, in the contracts' terms. */
export interface IntakeClient {
  readonly requests: {
    readonly register: Mutation<Intake['registerInput'], Intake['registerOutput']>;
    readonly correct: Mutation<Intake['correctInput'], Intake['statusOutput']>;
    readonly retry: Mutation<Intake['retryInput'], Intake['retryOutput']>;
    readonly cancel: Mutation<Intake['cancelInput'], Intake['cancelOutput']>;
    readonly resendLink: Mutation<Intake['resendInput'], Intake['resendOutput']>;
    readonly status: Query<Intake['requestIdentifier'], Intake['statusOutput']>;
    readonly validationResults: Query<Intake['requestIdentifier'], Retrieval['validationResultsOutput']>;
    readonly openRetrieval: Mutation<Intake['requestIdentifier'], Retrieval['openRetrievalOutput']>;
  };
  readonly certificates: {
    readonly revoke: Mutation<Intake['revokeCertificateInput'], Generation['certificateState']>;
  };
  readonly partners: {
    readonly authenticateClient: Query<Intake['authenticateClientInput'], Intake['partnerIdentity']>;
    readonly resolveToken: Query<Intake['resolveTokenInput'], Intake['partnerIdentity']>;
  };
  readonly operators: {
    readonly authenticate: Mutation<Intake['authenticateOperatorInput'], Intake['operatorIdentity']>;
  };
}

/** The steps of the API flow; the page is for anyone who has its address. */
export interface SignatureClient {
  readonly signature: {
    readonly validateIdentity: Mutation<ApiFlow['validateIdentityInput'], ApiFlow['validateIdentityOutput']>;
    readonly requestLiveness: Mutation<ApiFlow['requestLivenessInput'], ApiFlow['requestLivenessOutput']>;
    readonly checkLiveness: Mutation<ApiFlow['checkLivenessInput'], ApiFlow['checkLivenessOutput']>;
    readonly issue: Mutation<ApiFlow['issueInput'], ApiFlow['issueOutput']>;
    readonly livenessPage: Query<ApiFlow['livenessPageInput'], ApiFlow['livenessPage']>;
    readonly completeLiveness: Mutation<ApiFlow['livenessPageInput'], ApiFlow['livenessPage']>;
  };
}

/** What it asks for the applicant who opened a claim link. */
export interface ClaimsClient {
  readonly claims: {
    readonly view: Query<Claims['claimViewInput'], Claims['claimView']>;
    readonly sendCode: Mutation<Claims['sendCodeInput'], Claims['sendCodeOutput']>;
    readonly claim: Mutation<Claims['claimInput'], Claims['claimView']>;
    readonly openDownload: Mutation<Claims['openDownloadInput'], Claims['openDownloadOutput']>;
  };
}

/** What it asks on behalf of an operator who opens an evidence. */
export interface ReviewsClient {
  readonly reviews: {
    readonly openEvidence: Mutation<Reviews['openEvidenceInput'], Reviews['openedEvidence']>;
  };
}

export interface GenerationClient {
  readonly bundles: {
    readonly release: Query<Generation['releaseBundleInput'], Generation['releasedBundle']>;
  };
  readonly pki: {
    readonly file: Query<Generation['pkiFileInput'], Generation['pkiFile']>;
    readonly ocsp: Query<Generation['ocspInput'], Generation['ocspAnswer']>;
  };
}

export interface TermsClient {
  readonly terms: {
    readonly active: { query(input: { type: TermsType }, options: CallOptions): Promise<TermsRecord> };
  };
}

export interface Peers {
  readonly intake: IntakeClient & SignatureClient & ClaimsClient & ReviewsClient;
  readonly generation: GenerationClient;
  readonly terms: TermsClient;
  /** Options of a call made for `caller`, under the request and trace in hand. */
  as(caller: Caller): CallOptions;
}

export interface PeerDeps {
  readonly bus: Bus;
  readonly keyring: Pick<Keyring, 'signIdentity'>;
  readonly timeoutMs: number;
}

export const gatewayItself: Caller = { kind: 'service', name: 'gateway' };

export function createPeers({ bus, keyring, timeoutMs }: PeerDeps): Peers {
  const client = <Client>(service: string): Client =>
    createBusClient<AnyTRPCRouter>(bus, { subjectPrefix: `rpc.v1.${service}`, timeoutMs }) as Client;
  return {
    intake: client<IntakeClient & SignatureClient & ClaimsClient & ReviewsClient>('intake'),
    generation: client<GenerationClient>('generation'),
    terms: client<TermsClient>('terms'),
    as: (caller) => ({ context: { headers: outgoingHeaders(keyring, caller) } }),
  };
}
