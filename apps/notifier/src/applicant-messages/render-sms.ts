import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { formatTime } from '../mail/format-moment.ts';
import { fill, plainLine } from '../mail/plain-line.ts';
import { maxSmsLength, toGsm7 } from '../sms/gsm7.ts';

type Outgoing = messagesContract.OutgoingMessage;
interface SmsTexts {
  readonly text: string;
  readonly until: string;
}

/** The code comes first, so that it is read in a notification. Only codes are sent by SMS: never a link. */
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

/** So much of the partner's name is worth more than the line of a long host. */
const leastPartner = 12;

/**
 * The last line binds the code to our pages, so that a telephone offers it there and nowhere else
 * (https://wicg.github.io/sms-one-time-codes/). It names a host alone: no link, whose like a forged SMS would carry.
 */
function boundCode(code: string, baseUrl: string): string {
  return `\n@${new URL(baseUrl).hostname} #${code}`;
}

/**
 * One SMS of at most 160 characters of GSM-7.
 * @param baseUrl of the pages that take the code
 * @returns undefined for a template that has no SMS form
 */
export function renderSms(
  message: Pick<Outgoing, 'template' | 'language' | 'partnerName' | 'expiresAt'>,
  { secret: code, timeZone, baseUrl }: { secret: string | undefined; timeZone: string; baseUrl: string },
): string | undefined {
  const texts = codes[message.template]?.[message.language];
  if (texts === undefined || code === undefined) return undefined;
  const { language, expiresAt } = message;
  const time = expiresAt === null ? undefined : formatTime(expiresAt, language, timeZone);
  const until = time === undefined ? '' : fill(texts.until, { time });
  const text = (partner: string) => toGsm7(fill(texts.text, { code, partner, until }));
  const partner = breakLinks(toGsm7(plainLine(message.partnerName))).replace(/\.{1,9}$/, '');
  const bound = boundCode(code, baseUrl);
  const length = maxSmsLength - text('').length;
  const least = Math.min(leastPartner, partner.length);
  const end = length - bound.length >= least ? bound : '';
  return `${text(shorten(partner, length - end.length))}${end}`;
}

/** Telephones make a link of a host name: a partner's name is none. `S.A.` stays as it is. */
function breakLinks(name: string): string {
  return plainLine(name.replaceAll(/[/\\:@]+/g, ' ').replaceAll(/\.(?=[\p{L}\d-]{2})/gu, '. '));
}

/** The sentence's own full stop is the third dot, as it is the one of `Ltda.`. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 2).trimEnd()}..`;
}
