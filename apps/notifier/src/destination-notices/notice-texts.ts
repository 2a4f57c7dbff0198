import type { MailContent } from '../mail/mail-layout.ts';
import type { NoticeKind } from './notice.store.ts';

/** Facts of a notice, without secrets: partner, host, start of the failures, number of undelivered events. */
export interface NoticeFacts {
  readonly partnerName: string;
  /** Scheme, host and port. */
  readonly destination: string;
  /** Formatted in the reader's language. */
  readonly since: string;
  readonly missed: number;
}

export type NoticeContent = Pick<MailContent, 'preview' | 'heading' | 'paragraphs' | 'facts' | 'notes'>;
export interface NoticeText {
  readonly subject: string;
  readonly content: NoticeContent;
}
type Language = MailContent['language'];
type Texts = (facts: NoticeFacts) => NoticeText;

function spanishFacts({ partnerName, destination, since, missed }: NoticeFacts) {
  return [
    { label: 'Tercero', value: partnerName },
    { label: 'Destino', value: destination },
    { label: 'Falla desde', value: since },
    { label: 'Avisos sin entregar', value: String(missed) },
  ];
}

function englishFacts({ partnerName, destination, since, missed }: NoticeFacts) {
  return [
    { label: 'Partner', value: partnerName },
    { label: 'Destination', value: destination },
    { label: 'Failing since', value: since },
    { label: 'Not delivered', value: String(missed) },
  ];
}

const spanish: Record<NoticeKind, Texts> = {
  'webhook-disabled': (facts) => ({
    subject: `Suspendimos los avisos a ${facts.destination}`,
    content: {
      preview: `Ningún aviso a ${facts.destination} fue recibido desde el ${facts.since}.`,
      heading: 'Sus avisos (webhooks) están suspendidos',
      paragraphs: [
        `Estimado equipo de ${facts.partnerName}:`,
        `Desde el ${facts.since} ninguna llamada a ${facts.destination} fue aceptada, así que dejamos de llamar. Los avisos nuevos se guardan y no se envían.`,
        'Cuando su receptor funcione de nuevo, escríbanos: lo habilitamos y enviamos otra vez lo que falta. Los certificados esperan como máximo 30 días desde su emisión.',
      ],
      facts: spanishFacts(facts),
      notes: ['Mientras tanto puede consultar el estado de cada solicitud.'],
    },
  }),
  'webhook-recovered': (facts) => ({
    subject: `Los avisos a ${facts.destination} funcionan de nuevo`,
    content: {
      preview: `${facts.destination} recibe avisos otra vez.`,
      heading: 'Sus avisos (webhooks) funcionan de nuevo',
      paragraphs: [
        `Estimado equipo de ${facts.partnerName}:`,
        `${facts.destination} aceptó una llamada otra vez. Los avisos nuevos se envían como siempre.`,
      ],
      facts: spanishFacts(facts),
      notes: ['Si falta algún aviso, escríbanos y lo enviamos de nuevo.'],
    },
  }),
  'operator-alert': (facts) => ({
    subject: `Destino suspendido: ${facts.partnerName}, ${facts.destination}`,
    content: {
      preview: `${facts.destination} de ${facts.partnerName} falla desde el ${facts.since}.`,
      heading: 'Un destino de avisos fue suspendido',
      paragraphs: [
        `${facts.destination} de ${facts.partnerName} solo ha fallado desde el ${facts.since}. Se avisó al tercero por correo.`,
        'Para probarlo: deliveries.ping. Para habilitarlo: deliveries.enableDestination. Para enviar lo que falta: deliveries.recover.',
      ],
      facts: spanishFacts(facts),
      notes: [],
    },
  }),
};

const english: Record<NoticeKind, Texts> = {
  'webhook-disabled': (facts) => ({
    subject: `We have suspended the webhooks to ${facts.destination}`,
    content: {
      preview: `No webhook to ${facts.destination} has been accepted since ${facts.since}.`,
      heading: 'Your webhooks are suspended',
      paragraphs: [
        `To the team of ${facts.partnerName}:`,
        `Since ${facts.since} no call to ${facts.destination} has been accepted, so we have stopped calling. New events are stored and not sent.`,
        'When your receiver works again, write to us: we enable it and send again what is missing. Certificates wait for 30 days after their issuance at most.',
      ],
      facts: englishFacts(facts),
      notes: ['In the meantime you can ask for the status of each request.'],
    },
  }),
  'webhook-recovered': (facts) => ({
    subject: `The webhooks to ${facts.destination} work again`,
    content: {
      preview: `${facts.destination} takes webhooks again.`,
      heading: 'Your webhooks work again',
      paragraphs: [
        `To the team of ${facts.partnerName}:`,
        `${facts.destination} has accepted a call again. New events are sent as ever.`,
      ],
      facts: englishFacts(facts),
      notes: ['If an event is missing, write to us and we send it again.'],
    },
  }),
  'operator-alert': (facts) => ({
    subject: `Destination disabled: ${facts.partnerName}, ${facts.destination}`,
    content: {
      preview: `${facts.destination} of ${facts.partnerName} has been failing since ${facts.since}.`,
      heading: 'A webhook destination was disabled',
      paragraphs: [
        `${facts.destination} of ${facts.partnerName} has only failed since ${facts.since}. The partner has been told by mail.`,
        'To try it: deliveries.ping. To enable it: deliveries.enableDestination. To send what is missing: deliveries.recover.',
      ],
      facts: englishFacts(facts),
      notes: [],
    },
  }),
};

export const noticeTexts: Record<Language, Record<NoticeKind, Texts>> = { es: spanish, en: english };
