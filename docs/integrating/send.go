// Sends a POST that is done once, however often it is repeated.
//
//	HUB=https://hub.example KEY=... go run send.go PATH IDEMPOTENCY_KEY < body.json
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

// send repeats the call until its answer is final. Store the idempotency key before you send.
func send(url, key string, body []byte, idempotencyKey string) (int, []byte) {
	client := http.Client{Timeout: time.Minute}
	for pause := 1; ; pause *= 2 {
		if pause > 60 {
			pause = 60
		}
		request, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+key)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", idempotencyKey)
		wait := pause
		// Without an answer nobody knows whether the call was done.
		if answer, err := client.Do(request); err == nil {
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			status := answer.StatusCode
			isInUse := status == 409 && bytes.Contains(text, []byte("IDEMPOTENCY_KEY_IN_USE"))
			if err == nil && status != 408 && status != 429 && status < 500 && !isInUse {
				return status, text
			}
			if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
				wait = seconds
			}
		}
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	status, text := send(os.Getenv("HUB")+os.Args[1], os.Getenv("KEY"), body, os.Args[2])
	os.Stdout.Write(text)
	if status >= 300 {
		os.Exit(1)
	}
}
