// Books once and reads a feed: API=… KEY=… WEBHOOK=… SECRET=whsec_… BOOKING='{"serviceId": …}' ONCE=… go run integrate.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var client = http.Client{Timeout: 20 * time.Second}

// call waits as `Retry-After` says, and sends again what was not answered.
func call(method, path, body, once string, result any) {
	for attempt := 0; attempt < 5; attempt++ {
		wait := time.Duration(1<<attempt) * time.Second
		request, err := http.NewRequest(method, os.Getenv("API")+path, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("X-API-Key", os.Getenv("KEY"))
		request.Header.Set("Content-Type", "application/json")
		if once != "" {
			request.Header.Set("Idempotency-Key", once)
		}
		if answer, err := client.Do(request); err == nil {
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err == nil && answer.StatusCode < 300 {
				if err := json.Unmarshal(text, result); err != nil {
					log.Fatal("The response is not JSON. Is API the base URL of the API? ", err)
				}
				return
			}
			if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
				wait = time.Duration(seconds) * time.Second
			} else if answer.StatusCode != 429 && answer.StatusCode >= 400 && answer.StatusCode < 500 {
				log.Fatal(string(text))
			}
		}
		time.Sleep(wait)
	}
	log.Fatal("There is no answer.")
}

// isGenuine: the signature covers the id, the time and the text as it came.
func isGenuine(headers map[string]string, body string) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SECRET"), "whsec_"))
	sent, timeErr := strconv.ParseInt(headers["webhook-timestamp"], 10, 64)
	age := time.Since(time.Unix(sent, 0))
	if err != nil || timeErr != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	code := hmac.New(sha256.New, key)
	code.Write([]byte(headers["webhook-id"] + "." + headers["webhook-timestamp"] + "." + body))
	expected := "v1," + base64.StdEncoding.EncodeToString(code.Sum(nil))
	for _, one := range strings.Split(headers["webhook-signature"], " ") {
		if hmac.Equal([]byte(expected), []byte(one)) {
			return true
		}
	}
	return false
}

func main() {
	// Ids have up to 53 bits.
	var booking struct{ Id int64 }
	call("POST", "/bookings", os.Getenv("BOOKING"), os.Getenv("ONCE"), &booking)
	fmt.Println("booked", booking.Id)
	// Without AFTER, the feed is read from its beginning.
	after, _ := strconv.ParseInt(os.Getenv("AFTER"), 10, 64)
	for hasMore := true; hasMore; {
		var page struct {
			Data []struct {
				Number  int64
				Headers map[string]string
				Body    string
			}
			Next    int64
			HasMore bool
		}
		path := fmt.Sprintf("/webhooks/%s/feed?after=%d", os.Getenv("WEBHOOK"), after)
		call("GET", path, "", "", &page)
		for _, message := range page.Data {
			var event struct{ Event string }
			if json.Unmarshal([]byte(message.Body), &event) != nil || !isGenuine(message.Headers, message.Body) {
				log.Fatalf("Message %d has a wrong signature. Correct SECRET, and continue with AFTER=%d.", message.Number, after)
			}
			after = message.Number
			fmt.Println(event.Event, after)
		}
		after, hasMore = page.Next, page.HasMore
	}
	fmt.Println("next", after)
}
