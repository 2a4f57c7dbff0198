/** What is wrong with a file. Each text follows the name of the file's field. */
export const fileTexts = {
  'needs evidenceFile or validatorUrl': 'necesita evidenceFile o validatorUrl',
  'must be base64 text or an array of bytes': 'debe ser un texto en base64 o una lista de bytes',
  'cannot be decoded; send base64 or an array of bytes':
    'no se puede decodificar; envíe base64 o una lista de bytes',
  'must be {kinds}': 'debe ser {kinds}',
  'must be a JPEG or PNG image, a PDF, or an MP4, MOV or WebM video':
    'debe ser una imagen JPEG o PNG, un PDF o un video MP4, MOV o WebM',
  'is a PDF with {count} octets before its header %PDF-, which must stand within the first 1,024; remove them':
    'es un PDF con {count} octetos antes de su cabecera %PDF-, que debe estar dentro de los primeros 1.024; elimínelos',
  'is larger than the {count} MB that are allowed': 'supera los {count} MB permitidos',
  'is of a type that is not taken': 'es de un tipo que no se acepta',
  'cannot be read': 'no se puede leer',
  'cannot be read as a PDF; send it again': 'no se puede leer como PDF; envíelo de nuevo',
  'cannot be read as a {format} picture; it may have been cut short: send it again':
    'no se puede leer como imagen {format}; puede estar cortada: envíela de nuevo',
  'cannot be checked within the time and memory that a file may take; send a simpler file':
    'no se puede comprobar con el tiempo y la memoria que puede usar un archivo; envíe uno más simple',
  'unpacks to far more than a picture needs; save it anew':
    'se descomprime en mucho más de lo que necesita una imagen; guárdela de nuevo',
  'unpacks to far more than its pages need; print it into a new PDF and send that':
    'se descomprime en mucho más de lo que necesitan sus páginas; imprímalo en un PDF nuevo y envíe ese',
  'has {size} pixels; send a whole picture': 'tiene {size} píxeles; envíe una imagen completa',
  'has {size} pixels; at most {count} a side are taken':
    'tiene {size} píxeles; se aceptan como máximo {count} por lado',
  'has {size} pixels; at most {count} megapixels are taken':
    'tiene {size} píxeles; se aceptan como máximo {count} megapíxeles',
  'has {size} pixels, with which the pictures of the request exceed {count} megapixels; send smaller pictures':
    'tiene {size} píxeles, con los que las imágenes de la solicitud superan {count} megapíxeles; envíe imágenes más pequeñas',
  'is encrypted; send it without a password': 'está cifrado; envíelo sin contraseña',
  'holds {content}; print it into a new PDF and send that':
    'contiene {content}; imprímalo en un PDF nuevo y envíe ese',
  'holds objects in an encoding that cannot be looked through; print it into a new PDF and send that':
    'contiene objetos en una codificación que no se puede revisar; imprímalo en un PDF nuevo y envíe ese',
  'is a PDF in which no page was found': 'es un PDF en el que no se encontró ninguna página',
  'has more than {count} pages; send the pages that matter':
    'tiene más de {count} páginas; envíe las que importan',
  'does not begin like a whole video; it may have been cut short: play it before anything is decided':
    'no comienza como un video completo; puede estar cortado: reprodúzcalo antes de decidir',
} as const;
