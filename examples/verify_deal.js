// Proves commitment, deal, draws and reshuffles of a record, no digest and no move: node verify_deal.js game.ndjson
"use strict";
const { deepStrictEqual } = require("node:assert");
const { createHash, createHmac } = require("node:crypto");
const COLORS = ["red", "yellow", "green", "blue"];
const SYMBOLS = ["1", "3", "4", "5", "6", "7", "8", "9", "stop", "plus2", "reverse", "plus", "taki"];
const ABSENT = { 116: [], "112_king": ["plus3", "breaker"], 110: ["king", "plus3", "breaker"] };
function deckOf(edition) {
  const kinds = SYMBOLS.flatMap((symbol) => COLORS.map((color) => `${color}-${symbol}`));
  kinds.push(...["super-taki", "king", "plus3", "breaker"].filter((kind) => !ABSENT[edition].includes(kind)));
  return [...kinds.flatMap((kind) => [kind, kind]), ...Array(4).fill("change-color")];
}

const commitmentOf = (seed) => createHash("sha256").update(Buffer.from(seed, "hex")).digest("hex");
function keyOf(seed, clientSeeds) {
  const item = (given) => (given === null ? [0] : [1, given.length >> 8, given.length & 255, ...Buffer.from(given)]);
  const message = [...Buffer.from("taki-fairness-1"), ...clientSeeds.flatMap(item)];
  return createHmac("sha256", Buffer.from(seed, "hex")).update(Buffer.from(message)).digest();
}

function numbersBelow(key, label) {
  let unused = [], blocks = 0;
  return function next(count) {
    const hash = () => createHmac("sha256", key).update(`${label}/${blocks++}`).digest();
    if (unused.length === 0) for (let at = 0, block = hash(); at < 32; at += 4) unused.push(block.readUInt32BE(at));
    const number = unused.shift();
    return number < 2 ** 32 - (2 ** 32 % count) ? number % count : next(count);
  };
}
const pick = (key, count) => numbersBelow(key, `pick/${count}`)(count);
function shuffle(key, round, cards) {
  const below = numbersBelow(key, `shuffle/${round}`), mixed = [...cards];
  const swap = (i, j) => ([mixed[i], mixed[j]] = [mixed[j], mixed[i]]);
  for (let i = mixed.length - 1; i > 0; i--) swap(i, below(i + 1));
  return mixed;
}

function verify(events) {
  const { commitment } = events[0].data, { seed } = events.at(-1).data, given = [], discards = [];
  let now = events[0], key, pile, leadAt = 0, rounds = 0;
  const need = (expected, found, fault) => deepStrictEqual(found, expected, `event ${now.version}: ${fault}`);
  const take = (cards) => need(pile.splice(0, cards.length), cards, "other cards lay on the pile");
  const lead = (fromEnd) => (leadAt = fromEnd ? discards.length - fromEnd : leadAt);
  const steps = {
    seat_taken: ({ client_seed = null }) => given.push(client_seed),
    seat_left: ({ seat }) => given.splice(seat, 1),
    game_started: (data) => {
      need([commitment, given], [data.commitment, data.client_seeds], "other seeds than before the start");
      pile = shuffle((key = keyOf(seed, given)), 0, deckOf(data.ruleset.deck));
      if (data.drawn) need(pick(key, given.length), data.first, "another seat was drawn to go first");
    },
    deck_shuffled: ({ cards }) => need(pile, cards, "the seeds give another deck"),
    hand_dealt: ({ seat, cards }) => {
      const left = given.length - seat, dealt = (_, i) => i % left === 0 && i < left * cards.length;
      need(pile.filter(dealt), cards, "the seeds give another hand");
      pile = pile.filter((card, i) => !dealt(card, i));
    },
    lead_turned: ({ card, returned = [] }) => {
      for (const turned of returned) take([turned]), pile.push(turned);
      discards.push(card), take([card]);
    },
    cards_played: ({ cards, lead_card = 1 }) => lead(discards.push(...cards) && lead_card),
    cards_drawn: ({ cards = [] }) => take(cards),
    player_left: ({ cards = [] }) => pile.push(...cards),
    pile_reshuffled: ({ cards }) => {
      need(shuffle(key, ++rounds, discards.splice(0, leadAt)), cards, "the seeds give another reshuffle");
      lead(discards.length), pile.push(...cards);
    },
  };
  need(commitmentOf(seed), commitment, "the revealed seed is not the one that was promised");
  for (now of events) steps[now.kind]?.(now.data);
  return rounds;
}
module.exports = { commitmentOf, deckOf, keyOf, pick, shuffle, verify };
if (require.main === module) {
  const lines = require("node:fs").readFileSync(process.argv[2], "utf8").trim().split("\n");
  const [header, ...events] = lines.map((line) => JSON.parse(line));
  console.log(`game ${header.game}: commitment, deal and ${verify(events)} reshuffles are those of the seeds`);
}
