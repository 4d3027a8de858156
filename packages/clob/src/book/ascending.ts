/** Bits of a range in which the numbers are, for {@link sortAscending}; used again. */
let bits = new Int32Array(0);
/** Sorting takes about as long as looking at that many bits for each number. */
const bitsPerNumber = 64;
const wordBits = 32;

/**
 * Sorts different whole numbers. Ids of a block's orders mostly stand close together: then they are marked in a range of bits and read off, which is several times
 * faster than comparing them.
 *
 * @param numbers whole, each once
 */
export function sortAscending(numbers: Float64Array): void {
  const { length } = numbers;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < length; index++) {
    const number = numbers[index]!;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  const range = most - least + 1;
  if (range > length * bitsPerNumber) numbers.sort();
  else if (length > 1) markAndRead(numbers, least, Math.ceil(range / wordBits));
}

function markAndRead(numbers: Float64Array, least: number, words: number): void {
  if (bits.length < words) bits = new Int32Array(words * 2);
  for (let index = 0; index < numbers.length; index++) {
    const place = numbers[index]! - least;
    bits[place >> 5]! |= 1 << (place & 31);
  }
  let count = 0;
  for (let word = 0; word < words; word++) {
    // The place first: sums beyond 2^53 are not exact, even if what is taken off them later would bring them back.
    for (let left = bits[word]!; left !== 0; left &= left - 1)
      numbers[count++] = least + (word * wordBits + 31 - Math.clz32(left & -left));
    bits[word] = 0;
  }
}
