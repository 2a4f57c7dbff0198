import { defineTexts } from './define-texts.ts';

/** Faults of a file. Each text continues a sentence that begins with the name of the field of the file. */
export const fileTexts = defineTexts({
  'file.required': {
    en: 'needs evidenceFile or validatorUrl',
    es: 'necesita evidenceFile o validatorUrl',
  },
  'file.notBytes': {
    en: 'must be base64 text or an array of bytes',
    es: 'debe ser un texto en base64 o una lista de bytes',
  },
  'file.undecodable': {
    en: 'cannot be decoded; send base64 or an array of bytes',
    es: 'no se puede decodificar; envíe base64 o una lista de bytes',
  },
  'file.ofKinds': {
    en: 'must be {kinds:or}',
    es: 'debe ser {kinds:or}',
  },
  'file.ofAnyKind': {
    en: 'must be a JPEG or PNG image, a PDF, or an MP4, MOV or WebM video',
    es: 'debe ser una imagen JPEG o PNG, un PDF o un video MP4, MOV o WebM',
  },
  'file.latePdfHeader': {
    en: 'is a PDF with {count} octets before its header %PDF-, which must stand within the first 1,024; remove them',
    es: 'es un PDF con {count} octetos antes de su cabecera %PDF-, que debe estar dentro de los primeros 1.024; elimínelos',
  },
  'file.tooLarge': {
    en: 'is larger than the {count} MB that are allowed',
    es: 'supera los {count} MB permitidos',
  },
  'file.typeNotTaken': {
    en: 'is of a type that is not taken',
    es: 'es de un tipo que no se acepta',
  },
  'file.unreadable': {
    en: 'cannot be read',
    es: 'no se puede leer',
  },
  'file.unreadablePdf': {
    en: 'cannot be read as a PDF; send it again',
    es: 'no se puede leer como PDF; envíelo de nuevo',
  },
  'file.unreadablePicture': {
    en: 'cannot be read as a {format} picture; it may have been cut short: send it again',
    es: 'no se puede leer como imagen {format}; puede estar cortada: envíela de nuevo',
  },
  'file.uncheckable': {
    en: 'cannot be checked within the time and memory that a file may take; send a simpler file',
    es: 'no se puede comprobar con el tiempo y la memoria que puede usar un archivo; envíe uno más simple',
  },
  'file.pictureBomb': {
    en: 'unpacks to far more than a picture needs; save it anew',
    es: 'se descomprime en mucho más de lo que necesita una imagen; guárdela de nuevo',
  },
  'file.pdfBomb': {
    en: 'unpacks to far more than its pages need; print it into a new PDF and send that',
    es: 'se descomprime en mucho más de lo que necesitan sus páginas; imprímalo en un PDF nuevo y envíe ese',
  },
  'file.noPixels': {
    en: 'has {size} pixels; send a whole picture',
    es: 'tiene {size} píxeles; envíe una imagen completa',
  },
  'file.sideTooLong': {
    en: 'has {size} pixels; at most {count} a side are taken',
    es: 'tiene {size} píxeles; se aceptan como máximo {count} por lado',
  },
  'file.tooManyPixels': {
    en: 'has {size} pixels; at most {count} megapixels are taken',
    es: 'tiene {size} píxeles; se aceptan como máximo {count} megapíxeles',
  },
  'file.pixelBudget': {
    en: 'has {size} pixels, with which the pictures of the request exceed {count} megapixels; send smaller pictures',
    es: 'tiene {size} píxeles, con los que las imágenes de la solicitud superan {count} megapíxeles; envíe imágenes más pequeñas',
  },
  'file.encrypted': {
    en: 'is encrypted; send it without a password',
    es: 'está cifrado; envíelo sin contraseña',
  },
  'file.activeContent': {
    en: 'holds {content:text}; print it into a new PDF and send that',
    es: 'contiene {content:text}; imprímalo en un PDF nuevo y envíe ese',
  },
  'file.hiddenObjects': {
    en: 'holds objects in an encoding that cannot be looked through; print it into a new PDF and send that',
    es: 'contiene objetos en una codificación que no se puede revisar; imprímalo en un PDF nuevo y envíe ese',
  },
  'file.noPages': {
    en: 'is a PDF in which no page was found',
    es: 'es un PDF en el que no se encontró ninguna página',
  },
  'file.tooManyPages': {
    en: 'has more than {count} pages; send the pages that matter',
    es: 'tiene más de {count} páginas; envíe las que importan',
  },
  'file.doubtfulVideo': {
    en: 'does not begin like a whole video; it may have been cut short: play it before anything is decided',
    es: 'no comienza como un video completo; puede estar cortado: reprodúzcalo antes de decidir',
  },
  'file.notPassed': {
    en: 'did not pass the check of files; send another file',
    es: 'no superó la revisión de archivos; envíe otro archivo',
  },
  'file.damaged': {
    en: 'was damaged while it was kept; send it again',
    es: 'se dañó mientras estaba guardado; envíelo de nuevo',
  },
  // Facts of `file.ofKinds`.
  'file.kind.image': { en: 'a JPEG or PNG image', es: 'una imagen JPEG o PNG' },
  'file.kind.pdf': { en: 'a PDF', es: 'un PDF' },
  'file.kind.video': { en: 'an MP4, MOV or WebM video', es: 'un video MP4, MOV o WebM' },
  // Facts of `file.activeContent`.
  'file.content.script': { en: 'a script', es: 'un script' },
  'file.content.scriptOrMedia': { en: 'a script or media', es: 'un script o multimedia' },
  'file.content.launch': {
    en: 'an action that starts a program',
    es: 'una acción que inicia un programa',
  },
  'file.content.automaticActions': {
    en: 'actions that start by themselves',
    es: 'acciones que se inician solas',
  },
  'file.content.embeddedFile': { en: 'an embedded file', es: 'un archivo incrustado' },
  'file.content.embeddedMedia': { en: 'embedded media', es: 'multimedia incrustada' },
  'file.content.dynamicForm': { en: 'a dynamic form', es: 'un formulario dinámico' },
});
