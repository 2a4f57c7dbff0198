import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { formatTime } from '../mail/format-moment.ts';
import { fillTemplate, toPlainLine } from '../mail/plain-line.ts';
import { maxSmsLength, toGsm7 } from '../sms/gsm7.ts';

type Outgoing = messagesContract.OutgoingMessage;
interface SmsTexts {
  readonly text: string;
  readonly until: string;
}

/** Texts of codes. The code comes first, so that a notification shows it. SMS carry only codes, never a link. */
const codes: Partial<Record<Outgoing['template'], Readonly<Record<Outgoing['language'], SmsTexts>>>> = {
  'claim-code': {
    es: {
      text: '{code} es su codigo de Rubrica para retirar el certificado que pidio {partner}.{until} No lo comparta.',
      until: ' Vence a las {time}.',
    },
    en: {
      text: '{code} is your Rubrica code to claim the certificate requested by {partner}.{until} Do not share it.',
      until: ' Valid until {time}.',
    },
  },
  'revoke-code': {
    es: {
      text: '{code} es su codigo de Rubrica para REVOCAR el certificado que pidio {partner}.{until} No lo comparta.',
      until: ' Vence a las {time}.',
    },
    en: {
      text: '{code} is your Rubrica code to REVOKE the certificate requested by {partner}.{until} Do not share it.',
      until: ' Valid until {time}.',
    },
  },
  'renewal-code': {
    es: {
      text: '{code} es su codigo de Rubrica para renovar el certificado que pidio {partner}.{until} No lo comparta.',
      until: ' Vence a las {time}.',
    },
    en: {
      text: '{code} is your Rubrica code to renew the certificate requested by {partner}.{until} Do not share it.',
      until: ' Valid until {time}.',
    },
  },
  'download-code': {
    es: {
      text: '{code} es su codigo de Rubrica para descargar el certificado que pidio {partner}.{until} No lo comparta.',
      until: ' Vence a las {time}.',
    },
    en: {
      text: '{code} is your Rubrica code to download the certificate requested by {partner}.{until} Do not share it.',
      until: ' Valid until {time}.',
    },
  },
};

/** Minimum length of the partner's name, before the binding line of a long host is dropped. */
const minPartnerLength = 12;

/**
 * Formats the last line, which binds the code to our pages: a telephone offers it there and nowhere else
 * (https://wicg.github.io/sms-one-time-codes/). It names only a host, never a link that a forged SMS could imitate.
 */
function formatBinding(code: string, baseUrl: string): string {
  return `\n@${new URL(baseUrl).hostname} #${code}`;
}

/**
 * Renders one SMS of at most 160 characters of GSM-7.
 * @param baseUrl of the pages that accept the code
 * @returns undefined for a template without an SMS form
 */
export function renderSms(
  message: Pick<Outgoing, 'template' | 'language' | 'partnerName' | 'expiresAt'>,
  { secret: code, timeZone, baseUrl }: { secret: string | undefined; timeZone: string; baseUrl: string },
): string | undefined {
  const texts = codes[message.template]?.[message.language];
  if (texts === undefined || code === undefined) return undefined;
  const { language, expiresAt } = message;
  const time = expiresAt === null ? undefined : formatTime(expiresAt, language, timeZone);
  const until = time === undefined ? '' : fillTemplate(texts.until, { time });
  const render = (partner: string) => toGsm7(fillTemplate(texts.text, { code, partner, until }));
  const partner = breakLinks(toGsm7(toPlainLine(message.partnerName))).replace(/\.{1,9}$/, '');
  const binding = formatBinding(code, baseUrl);
  const length = maxSmsLength - render('').length;
  const minLength = Math.min(minPartnerLength, partner.length);
  const suffix = length - binding.length >= minLength ? binding : '';
  return `${render(shorten(partner, length - suffix.length))}${suffix}`;
}

/** Breaks host names in a partner's name, because telephones turn them into links. `S.A.` is unchanged. */
function breakLinks(name: string): string {
  return toPlainLine(name.replaceAll(/[/\\:@]+/g, ' ').replaceAll(/\.(?=[\p{L}\d-]{2})/gu, '. '));
}

/** Shortens a name with two dots; the full stop of the sentence is the third, as it is for `Ltda.`. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 2).trimEnd()}..`;
}
