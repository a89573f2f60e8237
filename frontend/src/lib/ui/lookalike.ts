/** A letter that can be taken for one of the keyboard's. */
export interface LookAlike {
  index: number;
  letter: string;
  /** The letter that it can be taken for. */
  like: string;
}

// Letters of other scripts beside those that they are drawn like. Not every one there is: what
// fonts draw alike, in the scripts that share their shapes with Latin.
const pairs =
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl ґr кk тt вb мm нh пn ' +
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ԚQ ԜW ҮY ' +
  'αa οo νv ρp υu ιi κk τt ηn χx γy ϲc ϳj ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ' +
  'օo սu հh ոn ցg զq յj ՏS ՕO ՍU Լl ' +
  'ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏚS ᎢT ᏙV ᎳW ᏃZ ' +
  'ıi ȷj ɑa ɡg ɩi ʀr ʏy ʙb ʜh ɪi ʟl ɴn ɢg ǀl ⲟo ꓮA ꓐB ꓚC ꓓD ꓰE ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ';

const likes = new Map(pairs.split(' ').map((pair) => [...pair] as [string, string]));

const word = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /[A-Za-z]/;

// Wide, bold and other drawings of a letter or digit, which are characters of their own.
const drawn = /[\u2102-\u2138\u2160-\u217f\u24b6-\u24e9\uff10-\uff5a\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f169}]/u;

function likeOf(letter: string): string {
  const like = likes.get(letter);
  if (like || !drawn.test(letter)) return like ?? '';
  const plain = letter.normalize('NFKC');
  return /^[\w]+$/.test(plain) ? plain : '';
}

/**
 * The letters of a text that can be taken for others: in a word that has both kinds, and with
 * `whole` in one that has nothing else, too. A word of another script that has letters of its
 * own is just that.
 */
export function lookAlikes(text: string, whole: boolean): LookAlike[] {
  const found: LookAlike[] = [];
  for (const { index, 0: run } of text.matchAll(word)) {
    const alike: LookAlike[] = [];
    let others = false;
    let at = index;
    for (const letter of run) {
      const like = likeOf(letter);
      if (like) alike.push({ index: at, letter, like });
      else if (!/[A-Za-z0-9]/.test(letter)) others = true;
      at += letter.length;
    }
    if (alike.length && (latin.test(run) || (whole && !others))) found.push(...alike);
  }
  return found;
}
