// SPDX-License-Identifier: MIT
#ifndef PARLEY_STEADY_CARD_H
#define PARLEY_STEADY_CARD_H

// An ALSA device in C that allocates nothing and locks nothing while it runs, unlike a virtual card: `snd_pcm_open` of
// "parley-steady" opens it in this program. The microphone hears zeros; the loudspeaker forgets.

#define PARLEY_STEADY_CARD "parley-steady"

/// Puts an overrun or underrun into each of its streams that runs.
void parley_steady_card_stall(void);

/// Suspends each of its streams that runs.
void parley_steady_card_suspend(void);

/// Lets the card itself allocate and lock in each transfer, outside of libasound: what must be noticed.
void parley_steady_card_misbehave(void);

#endif
