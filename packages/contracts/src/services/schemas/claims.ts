import { z } from 'zod';
import { applicationTypeSchema, certificateTypeSchema, periodSchema } from '../../shared/enumerations.ts';
import { idSchema, instant, sealed, text } from '../../shared/fields.ts';
import { logoPicture } from '../../shared/logo.ts';
import { languages, messageChannels } from './applicant-messages.ts';
import { grant } from './grants.ts';

/**
 * What an applicant may do with a claim link, asked by the gateway of intake. The link's token crosses the bus sealed to
 * intake, which keeps its SHA-256 and takes that hash from nobody; a token that nobody was given is CLAIM_LINK_INVALID, one whose time is over CLAIM_LINK_EXPIRED.
 */
const link = { sealedToken: sealed } as const;

/**
 * `OPEN` may be claimed; `IN_PROGRESS` was claimed and its certificate is being made, or an `obstacle` keeps it from being
 * made; `ISSUED` may be downloaded until `downloadUntil`; `DOWNLOAD_ENDED` not any
 * more; `ENDED` was refused or cancelled, or the applicant has reported it: nothing comes of this link.
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
   * Keeps a request that is `IN_PROGRESS` from its certificate: a person's review, or an error that the partner or an
   * operator has to mend. No state of its own, since the gateway of the release before knows none.
   */
  obstacle: z.enum(['REVIEW', 'ERROR']).nullable().default(null),
  applicantName: z.string(),
  /** All but the last four digits hidden. */
  identificationMasked: z.string(),
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  companySocialReason: z.string().nullable(),
  partnerName: z.string(),
  /** Whom to ask. */
  partnerEmail: z.string(),
  /** Whether `claims.logo` has a picture of the partner. The first release does not say it. */
  hasLogo: z.boolean().default(false),
  /** True where the partner lets its subscribers have the file for older programs too. */
  offersLegacyFile: z.boolean().default(false),
  /** The end of the claim window. */
  expiresAt: instant,
  /** Where codes go, masked: the telephone or the second e-mail. */
  codeChannel: z.enum(messageChannels),
  codeSentTo: z.string(),
  /** The code in hand, if one was sent and is neither used, expired nor spent. */
  code: z.object({ sentAt: instant, expiresAt: instant, triesLeft: z.int().min(1) }).nullable(),
  /** When the next code may be asked for. */
  nextCodeAt: instant,
  serialNumber: z.string().nullable(),
  notAfter: instant.nullable(),
  downloadUntil: instant.nullable(),
  /**
   * What the applicant has said of an `ENDED` request: that they did not ask for it, or that its data are wrong. After
   * the latter the partner corrects them, and a new link comes.
   */
  reported: claimReport.nullable(),
});
export type ClaimView = z.infer<typeof claimView>;

/**
 * Sends a code of six digits, valid for 5 minutes and 5 tries, which takes the place of the one before.
 * RATE_LIMITED with the seconds to wait after 5 in an hour; REQUEST_STATE_NOT_ALLOWED where the link's state has
 * no use for one; NO_ACTIVE_TERMS where nothing can be claimed for want of terms.
 */
export const sendCodeInput = z.object({ ...link, language: z.enum(languages) });
export const sendCodeOutput = z.object({
  sentTo: z.string(),
  channel: z.enum(messageChannels),
  expiresAt: instant,
  nextCodeAt: instant,
});

/**
 * What is known of the applicant, for the gateway to hold a password against; never shown. It takes the right that a code
 * has brought; without one there are no values. Null where the link may not be claimed (any more).
 */
export const ownDataInput = z.object({ ...link, sealedRight: sealed.optional() });
export const ownDataOutput = z.object({ values: z.array(text(300)).max(100) }).nullable();

/**
 * A link that opens nothing any more: `REPLACED` by a newer one, or `EXPIRED` with the claim window. It names the partner and
 * nothing of the applicant. CLAIM_LINK_INVALID for one that was never given out, or is long over; REQUEST_STATE_NOT_ALLOWED
 * for one that is not dead.
 */
export const deadLinkInput = z.object(link);
export const deadLinkOutput = z.object({
  reason: z.enum(['REPLACED', 'EXPIRED']),
  partnerName: z.string(),
  partnerEmail: z.string(),
  hasLogo: z.boolean().default(false),
  /** From when on a new one may be asked for; null: the partner alone can help. */
  renewableAt: instant.nullable(),
});
export type DeadLink = z.infer<typeof deadLinkOutput>;

/** The logo of the partner whose link it is, dead or not; null where there is none, or no such link. */
export const claimLogoInput = z.object(link);
export const claimLogoOutput = logoPicture.nullable();

/**
 * Sends a new link to the address on file, which nobody is told. RATE_LIMITED with the seconds to wait after a mail,
 * RESEND_LIMIT_EXCEEDED after five, REQUEST_STATE_NOT_ALLOWED where nothing is to be claimed any more.
 */
export const renewLinkInput = z.object(link);
export const renewLinkOutput = z.object({});

/**
 * The applicant says "this was not me", which refuses the request, or "these data are wrong", which sends it back to the
 * partner. By the link alone: who got a mail by mistake has no telephone to prove, and a wrong telephone may be what is
 * to be corrected. A repeat answers the view. REQUEST_STATE_NOT_ALLOWED once the request was claimed.
 */
export const reportInput = z.object({ ...link, report: claimReport });

/** A right that stands for a code: an opaque secret of 256 bits, good with the same link only. */
export const linkRight = z.object({
  /** Sealed to the gateway. */
  sealedRight: sealed,
  expiresAt: instant,
});

/**
 * Checks a code before a claim, and gives for a right one what the claim takes in its place for 15 minutes. The code
 * stays good for its five minutes: who taps twice is answered twice. Errors as those of a claim by code.
 */
export const checkCodeInput = z.object({ ...link, sealedCode: sealed });
export const checkCodeOutput = linkRight;

/** One of the two, sealed to intake: six digits, or a right that such digits have brought. */
const proof = { sealedCode: sealed.optional(), sealedRight: sealed.optional() } as const;

function hasOneProof(given: {
  readonly sealedCode?: string | undefined;
  readonly sealedRight?: string | undefined;
}) {
  return (given.sealedCode === undefined) !== (given.sealedRight === undefined);
}

/**
 * Claims the request: once. A repeat with the same token after success answers the view (IN_PROGRESS or later),
 * whatever the code: nothing was lost where the answer got lost. Errors: OTP_INVALID (its details name the tries left),
 * OTP_EXPIRED (of a right too), OTP_ATTEMPTS_EXCEEDED, NO_ACTIVE_TERMS, TERMS_NOT_ACCEPTED, TERMS_OUTDATED,
 * REQUEST_STATE_NOT_ALLOWED.
 */
const claimShape = {
  ...link,
  ...proof,
  /** The applicant's password, checked by the gateway, sealed to generation. */
  sealedPassword: sealed,
  /** The terms the page showed and the applicant accepted; null where they were not accepted. */
  termsId: idSchema.nullable(),
  language: z.enum(languages),
  /** The applicant's address and program, kept as evidence of the acceptance. */
  remoteAddress: text(64),
  userAgent: text(300).nullable(),
} as const;
export const claimInput = z.object(claimShape).refine(hasOneProof);

/** The same of a renewal by its subscriber, for a request that is made by it: its id is minted by the gateway. */
export const renewByLinkInput = z.object({ ...claimShape, requestId: idSchema }).refine(hasOneProof);

/**
 * Whom a subscriber may ask about the link of a reminder: because it is dead (`RENEWED`, `REVOKED`, `EXPIRED`), or because they
 * cannot renew alone (`ASK`). CLAIM_LINK_INVALID for one that was never given out, or is long over.
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
 * What the link is good for now, and what opens the download for 30 minutes without another code: given to who has
 * proven the claim, so null on a repeat that shows the link and a code that is used up.
 */
export const claimOutput = claimView.extend({ retrieval: linkRight.nullable() });

/**
 * Allows one download: checks the code as a claim does, or the right that the claim gave, which may be used as often as
 * wanted; a right that is over is OTP_EXPIRED. The file itself is generation's to release.
 */
export const openDownloadInput = z.object({ ...link, ...proof }).refine(hasOneProof);
export const openDownloadOutput = z.object({ requestId: idSchema, serialNumber: z.string(), grant });
