// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The lessons of the replay. Each is a job of ref-impl/examples/one_message.c, recorded by portalsrun --trace
// (web/pages/lessons); what is to be seen in it is said here.

export const lessons = [
  {
    name: "short-put",
    title: "A short put",
    about: [
      "Rank 1 puts 40 octets to rank 0. Each card first makes itself known on its four planes. A barrier follows, then the put: one RTS, which carries the Portals header and all the data, and one MSGEND, which tells the sender that its memory is its own again. No CTS is needed, since nothing is left to be sent.",
      "Look at the planes: every packet takes the next one. And at the links: each packet is acknowledged twice, from card to switch and from switch to card, for a link repairs its own losses.",
    ],
  },
  {
    name: "long-put-lost-frame",
    title: "A long put that loses a frame",
    about: [
      "Rank 1 puts 8200 octets: too many for an RTS and sixteen data packets, so VDMA moves them. The two drivers connect and give each other credit; TRY_MATCH carries the header alone, the receiver's GET asks for a slice and names the channel whose page table is ready, and the card fills it with packets in any order. MATCH_REPLY ends the message.",
      "One packet of the slice is lost between switch and card. The next one on that plane shows the gap, the card asks for what it misses, and the switch sends it again with all that followed it, over that link alone. The drivers never hear of it.",
    ],
  },
  {
    name: "get-dead-plane",
    title: "A get over three planes",
    about: [
      "Plane 2 is cut. No card can make itself known there, so it is left out of the mask of every packet, and the three others carry all.",
      "Rank 1 gets 1000 octets from rank 0. The get is one RTS without data; the answer is a message of its own in the other direction, whose RTS has the first 408 octets. A CTS grants two more packets, DATA and LAST_DATA, and MSGEND ends it when all octets are there, whichever packet came last.",
    ],
  },
];
