import { bilingual } from '../../texts/texts.ts';

export const reportTexts = bilingual({
  en: {
    levels: 'Service levels',
    levelsAbout:
      'By partner and month of registration. Times are the middle one, and what one in twenty exceeds.',
    usage: 'Usage',
    usageAbout: 'What became of the requests of a month. Of families: issued of registered.',
    month: 'Month (or this one)',
    partner: 'Partner',
    registered: 'Registered',
    issued: 'Issued',
    refused: 'Refused',
    cancelled: 'Cancelled',
    expired: 'Expired',
    certificate: 'To the certificate',
    webhooks: 'Webhooks delivered',
    first: 'At first attempt',
    webhook: 'To the webhook',
    review: 'In review',
    empty: 'Nothing was registered in this month.',
  },
  es: {
    levels: 'Niveles de servicio',
    levelsAbout:
      'Por tercero y mes de registro. Los tiempos son el mediano, y el que uno de cada veinte supera.',
    usage: 'Uso',
    usageAbout: 'En qué terminaron las solicitudes de un mes. De las familias: emitidas de registradas.',
    month: 'Mes (o el actual)',
    partner: 'Tercero',
    registered: 'Registradas',
    issued: 'Emitidas',
    refused: 'Rechazadas',
    cancelled: 'Canceladas',
    expired: 'Caducadas',
    certificate: 'Hasta el certificado',
    webhooks: 'Webhooks entregados',
    first: 'Al primer intento',
    webhook: 'Hasta el webhook',
    review: 'En revisión',
    empty: 'En este mes no se registró nada.',
  },
});
