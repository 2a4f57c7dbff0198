import { z } from 'zod';
import { applicationTypeSchema, certificateTypeSchema, periodSchema } from '../../shared/enumerations.ts';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';
import { logoPicture } from '../../shared/logo.ts';
import { languages, messageChannels } from './applicant-messages.ts';
import { grant } from './grants.ts';

/**
 * Actions of an applicant with a claim link, called by the gateway. The link's token crosses the bus sealed to intake.
 * Intake stores its SHA-256 and accepts that hash from nobody. An unknown token is CLAIM_LINK_INVALID, one past its end
 * CLAIM_LINK_EXPIRED.
 */
const link = { sealedToken: sealed } as const;

/**
 * States of a claim link. `OPEN`: the request may be claimed. `IN_PROGRESS`: claimed, and the certificate is being
 * generated or an `obstacle` prevents it. `ISSUED`: the file may be downloaded until `downloadUntil`. `DOWNLOAD_ENDED`:
 * no longer. `ENDED`: refused, cancelled or reported by the applicant; no certificate follows.
 */
const claimStates = ['OPEN', 'IN_PROGRESS', 'ISSUED', 'DOWNLOAD_ENDED', 'ENDED'] as const;
const claimStateSchema = z.enum(claimStates);
export type ClaimState = z.infer<typeof claimStateSchema>;

const claimReport = z.enum(['DISPUTED', 'DATA_WRONG']);
export type ClaimReport = z.infer<typeof claimReport>;

export const claimViewInput = z.object(link);
export const claimView = z.object({
  requestId: idSchema,
  state: claimStateSchema,
  /**
   * Reason why a request that is `IN_PROGRESS` has no certificate: a person's review, or an error that the partner or
   * an operator must correct. It is not a state, because the gateway of the previous release knows none.
   */
  obstacle: z.enum(['REVIEW', 'ERROR']).nullable().default(null),
  applicantName: z.string(),
  /** Identification with only the last four digits visible. */
  identificationMasked: z.string(),
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  companySocialReason: z.string().nullable(),
  partnerName: z.string(),
  /** Address for the applicant's questions. */
  partnerEmail: z.string(),
  /** True if `claims.logo` has a picture of the partner. The first release does not send it. */
  hasLogo: z.boolean().default(false),
  /** True if the partner offers its subscribers the file for older programs too. */
  offersLegacyFile: z.boolean().default(false),
  /** End of the claim window. */
  expiresAt: instant,
  /** Channel for codes, with the masked telephone number or second e-mail address. */
  codeChannel: z.enum(messageChannels),
  codeSentTo: z.string(),
  /** Active code, if one was sent and is not used, expired or out of tries. */
  code: z.object({ sentAt: instant, expiresAt: instant, triesLeft: z.int().min(1) }).nullable(),
  /** Time from which the next code may be requested. */
  nextCodeAt: instant,
  serialNumber: z.string().nullable(),
  notAfter: instant.nullable(),
  downloadUntil: instant.nullable(),
  /**
   * Report of the applicant about an `ENDED` request: they did not ask for it, or its data are wrong. After the latter
   * the partner corrects the data, and a new link follows.
   */
  reported: claimReport.nullable(),
});
export type ClaimView = z.infer<typeof claimView>;

/**
 * Sends a six-digit code, valid for 5 minutes and 5 tries, which replaces the previous one. RATE_LIMITED, with the
 * seconds to wait, after 5 in an hour; REQUEST_STATE_NOT_ALLOWED if the link's state allows no code; NO_ACTIVE_TERMS if
 * the request cannot be claimed for lack of terms.
 */
export const sendCodeInput = z.object({ ...link, language: z.enum(languages) });
export const sendCodeOutput = z.object({
  sentTo: z.string(),
  channel: z.enum(messageChannels),
  expiresAt: instant,
  nextCodeAt: instant,
});

/**
 * Answers the applicant's data, to which the gateway compares a password; never shown. It requires the ticket from a
 * code; without one there are no values. Null if the link may not be claimed, or no longer.
 */
export const ownDataInput = z.object({ ...link, sealedRight: sealed.optional() });
export const ownDataOutput = z.object({ values: z.array(text(300)).max(100) }).nullable();

/**
 * Describes a link that has ended: `REPLACED` by a newer one, or `EXPIRED` with the claim window. The answer names the
 * partner and nothing of the applicant. CLAIM_LINK_INVALID for an unknown link or one that ended long ago;
 * REQUEST_STATE_NOT_ALLOWED for one that has not ended.
 */
export const deadLinkInput = z.object(link);
export const deadLinkOutput = z.object({
  reason: z.enum(['REPLACED', 'EXPIRED']),
  partnerName: z.string(),
  partnerEmail: z.string(),
  hasLogo: z.boolean().default(false),
  /** Time from which a new link may be requested; null: only the partner can help. */
  renewableAt: instant.nullable(),
});
export type DeadLink = z.infer<typeof deadLinkOutput>;

/** Answers the logo of the partner that owns the link, ended or not; null if there is no logo or no such link. */
export const claimLogoInput = z.object(link);
export const claimLogoOutput = logoPicture.nullable();

/**
 * Sends a new link to the address on file, which the answer does not reveal. RATE_LIMITED, with the seconds to wait,
 * after a mail; RESEND_LIMIT_EXCEEDED after five; REQUEST_STATE_NOT_ALLOWED if nothing can be claimed any more.
 */
export const renewLinkInput = z.object(link);
export const renewLinkOutput = z.object({});

/**
 * Records the applicant's report: "this was not me" refuses the request, "these data are wrong" returns it to the
 * partner. The link alone is enough: a person who received a mail by mistake has no telephone to prove, and a wrong
 * telephone may be the error. A repeat answers the view. REQUEST_STATE_NOT_ALLOWED once the request was claimed.
 */
export const reportInput = z.object({ ...link, report: claimReport });

/** Ticket that replaces a code: an opaque secret of 256 bits, valid with the same link only. */
export const linkTicket = z.object({
  /** Ticket, sealed to the gateway. */
  sealedRight: sealed,
  expiresAt: instant,
});

/**
 * Checks a code before a claim, and answers a ticket that the claim accepts instead for 15 minutes. The code stays
 * valid for its five minutes, so a double tap is answered twice. Errors are those of a claim by code.
 */
export const checkCodeInput = z.object({ ...link, sealedCode: sealed });
export const checkCodeOutput = linkTicket;

/** Exactly one of the two, sealed to intake: six digits, or a ticket obtained with a code. */
const proofShape = { sealedCode: sealed.optional(), sealedRight: sealed.optional() } as const;

function hasOneProof(input: {
  readonly sealedCode?: string | undefined;
  readonly sealedRight?: string | undefined;
}) {
  return (input.sealedCode === undefined) !== (input.sealedRight === undefined);
}

/**
 * Claims the request, once. A repeat with the same token after success answers the view (IN_PROGRESS or later),
 * whatever the code, so a lost answer loses nothing. Errors: OTP_INVALID (its details have the tries left), OTP_EXPIRED
 * (of a ticket too), OTP_ATTEMPTS_EXCEEDED, NO_ACTIVE_TERMS, TERMS_NOT_ACCEPTED, TERMS_OUTDATED,
 * REQUEST_STATE_NOT_ALLOWED.
 */
const claimShape = {
  ...link,
  ...proofShape,
  /** Password of the applicant, checked by the gateway, sealed to generation. */
  sealedPassword: sealed,
  /** Terms that the page showed and the applicant accepted; null if they were not accepted. */
  termsId: idSchema.nullable(),
  language: z.enum(languages),
  /** Address and program of the applicant, stored as evidence of the acceptance. */
  remoteAddress: text(64),
  userAgent: text(300).nullable(),
} as const;
export const claimInput = z.object(claimShape).refine(hasOneProof);

/** Input of a renewal by its subscriber. It creates a request, whose id is minted by the gateway. */
export const renewByLinkInput = z.object({ ...claimShape, requestId: idSchema }).refine(hasOneProof);

/**
 * Answers the contact for the link of a reminder. Either it has ended (`RENEWED`, `REVOKED`, `EXPIRED`), or its
 * subscriber cannot renew without the partner (`ASK`). CLAIM_LINK_INVALID for an unknown link or one that ended long
 * ago.
 */
export const renewalContactInput = z.object(link);
export const renewalContactOutput = z.object({
  reason: z.enum(['RENEWED', 'REVOKED', 'EXPIRED', 'ASK']),
  partnerName: z.string(),
  partnerEmail: z.string(),
  hasLogo: z.boolean(),
});
export type RenewalContact = z.infer<typeof renewalContactOutput>;

/**
 * Present view of the link, with a ticket that opens the download for 30 minutes without another code. Only the caller
 * that proved the claim gets the ticket: it is null on a repeat with the link and a used code.
 */
export const claimOutput = claimView.extend({ retrieval: linkTicket.nullable() });

/**
 * Allows one download. Checks the code as a claim does, or the ticket from the claim, which may be used repeatedly; an
 * ended ticket is OTP_EXPIRED. Generation releases the file.
 */
export const openDownloadInput = z.object({ ...link, ...proofShape }).refine(hasOneProof);
export const openDownloadOutput = z.object({ requestId: idSchema, serialNumber: z.string(), grant });
